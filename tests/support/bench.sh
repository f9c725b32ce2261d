# shellcheck shell=bash
# What benchmarks in shell share: medians, ratios against a mark, and two commands timed in turn.

# shellcheck disable=SC2034 # for the benchmarks
bench_missed=0

median() { # NUMBERS on standard input, one a line
    sort -g | awk '{ value[NR] = $1 } END { print NR % 2 ? value[(NR + 1) / 2] : (value[NR / 2] + value[NR / 2 + 1]) / 2 }'
}

middle_half() { # NUMBERS on standard input, one a line: the two ends of the range in which half of them lie
    sort -g | awk '{ value[NR] = $1 } END { print value[int((NR + 3) / 4)], value[int((3 * NR + 3) / 4)] }'
}

# mark LABEL RATIO at-most|at-least BOUND
# shellcheck disable=SC2034
mark() {
    local verdict=ok
    awk -v got="$2" -v bound="$4" -v kind="$3" 'BEGIN { exit !(kind == "at-most" ? got <= bound : got >= bound) }' ||
        verdict=MISSED
    [[ $verdict == ok ]] || bench_missed=1
    printf '%-72s %8.3f  (%s %s)  %s\n' "$1" "$2" "${3/-/ }" "$4" "$verdict"
}

now() {
    date +%s.%N
}

# seconds COMMAND...: wall time; the command's output is dropped, its failure ends the benchmark.
seconds() {
    local start end
    start=$(now)
    "$@" >/dev/null || { echo "bench: failed: $*" >&2; exit 1; }
    end=$(now)
    awk -v start="$start" -v end="$end" 'BEGIN { print end - start }'
}

# in_turn RUNS A B: times the functions A and B in turn, after one warm-up of each, and sets $median_a, $median_b and
# $ratio, the median of the ratios A/B pair by pair.
# shellcheck disable=SC2034 # for the caller
in_turn() {
    local i a b
    local -a as=() bs=() ratios=()
    seconds "$2" >/dev/null
    seconds "$3" >/dev/null
    for ((i = 0; i < $1; i++)); do
        a=$(seconds "$2")
        b=$(seconds "$3")
        as+=("$a")
        bs+=("$b")
        ratios+=("$(awk -v a="$a" -v b="$b" 'BEGIN { print a / b }')")
    done
    median_a=$(printf '%s\n' "${as[@]}" | median) median_b=$(printf '%s\n' "${bs[@]}" | median)
    ratio=$(printf '%s\n' "${ratios[@]}" | median)
}
