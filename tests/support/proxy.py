#!/usr/bin/env python3
"""A TCP proxy in front of a PostgreSQL socket, which can go silent as a network does that drops packets.

Usage: proxy.py SOCKET PORT-FILE

Listens on a free port of 127.0.0.1, writes it into PORT-FILE, and forwards each connection to the Unix socket. After
SIGUSR1 nothing is forwarded any more, old connections stay open, and new ones are accepted but never answered.
"""
import os
import signal
import socket
import sys
import threading

silent = threading.Event()
forever = threading.Event()


def wait_for_signal():
    signal.sigwait([signal.SIGUSR1])
    silent.set()


def forward(source, target):
    try:
        while data := source.recv(65536):
            if silent.is_set():
                forever.wait()
            target.sendall(data)
    except OSError:
        pass
    if silent.is_set():
        forever.wait()
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def main():
    path, port_file = sys.argv[1:]
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    threading.Thread(target=wait_for_signal, daemon=True).start()
    listener = socket.create_server(("127.0.0.1", 0))
    with open(port_file + ".new", "w", encoding="ascii") as file:
        print(listener.getsockname()[1], file=file)
    os.rename(port_file + ".new", port_file)
    kept = []
    while True:
        client, _ = listener.accept()
        kept.append(client)
        if silent.is_set():
            continue
        server = socket.socket(socket.AF_UNIX)
        server.connect(path)
        kept.append(server)
        for ends in ((client, server), (server, client)):
            threading.Thread(target=forward, args=ends, daemon=True).start()


main()
