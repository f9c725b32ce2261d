-- A uuid as 26 letters of base32, as the TypeID specification (0.3.0) writes it: two zero bits in
-- front, then five bits a letter; digits and lower case without i, l, o and u. The texts compare as
-- their uuids do. The chapter scenarios/lab/formats.sql proves both functions.

create function base32_encode(id uuid) returns text
language plpgsql immutable strict parallel safe as $$
declare
    alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
    bits constant bit(130) := B'00' || ('x' || replace(id::text, '-', ''))::bit(128);
    letters text := '';
begin
    for at in 1..126 by 5 loop
        letters := letters || substr(alphabet, substring(bits from at for 5)::int + 1, 1);
    end loop;
    return letters;
end $$;

-- Null for every text that base32_encode() does not write: of another length, with other letters or
-- capitals, of more than 128 bits. Being immutable, it runs once for a constant, before the plan is
-- made: a look-up by it uses the index on the uuid.
create function base32_decode(letters text) returns uuid
language plpgsql immutable strict parallel safe as $$
declare
    alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
    bits varbit := '';
begin
    if letters collate "C" !~ '^[0-7][0-9a-hjkmnp-tv-z]{25}$' then
        return null;
    end if;
    for at in 1..26 loop
        bits := bits || (strpos(alphabet, substr(letters, at, 1)) - 1)::bit(5);
    end loop;
    return (lpad(to_hex(substring(bits from 3 for 64)::bit(64)::bigint), 16, '0')
            || lpad(to_hex(substring(bits from 67)::bit(64)::bigint), 16, '0'))::uuid;
end $$;
