-- What the machines of a fleet share. Code is not here: it travels by git. Only the database's clock counts.

-- A fleet belongs to one remote: its id is the object that refs/ralph/fleet names there.
create table ralph.fleets (
  id text primary key,
  name text not null,
  lease_ms integer not null check (lease_ms between 1000 and 3600000),
  mode text not null default 'running' check (mode in ('running', 'paused', 'draining')),
  created_at timestamptz not null default now()
);

-- A plan is worked off on one branch, whichever machine starts first.
create table ralph.plans (
  fleet text not null references ralph.fleets on delete cascade,
  path text not null,
  base text not null,
  primary key (fleet, path)
);

-- One process of `ralph work`. A session that is over never begins again, so whoever has seen it dead may take what it held.
create table ralph.sessions (
  fleet text not null references ralph.fleets on delete cascade,
  id text not null check (octet_length(id) <= 1000),
  run text not null,
  host text not null,
  about jsonb not null check (octet_length(about::text) <= 65536),
  started_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz not null,
  ended_at timestamptz,
  primary key (fleet, id)
);

-- The newest value of each register. Every write names the next number; whoever comes late loses.
create table ralph.registers (
  fleet text not null references ralph.fleets on delete cascade,
  name text not null check (octet_length(name) <= 2000),
  n bigint not null check (n > 0),
  value text not null check (octet_length(value) <= 1048576),
  -- The session that wrote it; null: a person, or a script.
  session text,
  -- One for each write, so that a write whose answer was lost can be repeated.
  nonce uuid not null,
  written_at timestamptz not null default clock_timestamp(),
  primary key (fleet, name)
);

-- Extends a session that is not over. No row: it is over, and can write nothing any more.
create function ralph.beat(p_fleet text, p_session text) returns table (mode text) language sql as $$
  update ralph.sessions s
  set lease_until = clock_timestamp() + make_interval(secs => f.lease_ms / 1000.0)
  from ralph.fleets f
  where s.fleet = p_fleet and s.id = p_session and f.id = s.fleet and s.ended_at is null and s.lease_until > clock_timestamp()
  returning f.mode;
$$;

-- Compare-and-set. `over`: the session of the writer has ended or run out.
create function ralph.put(p_fleet text, p_name text, p_n bigint, p_value text, p_session text, p_nonce uuid) returns text language plpgsql as $$
begin
  if p_session is not null then
    perform 1 from ralph.sessions s where s.fleet = p_fleet and s.id = p_session for share;
    if not exists (
      select 1 from ralph.sessions s
      where s.fleet = p_fleet and s.id = p_session and s.ended_at is null and s.lease_until > clock_timestamp()
    ) then
      return 'over';
    end if;
  end if;
  if p_n = 1 then
    insert into ralph.registers (fleet, name, n, value, session, nonce)
    values (p_fleet, p_name, 1, p_value, p_session, p_nonce)
    on conflict do nothing;
  else
    update ralph.registers r
    set n = p_n, value = p_value, session = p_session, nonce = p_nonce, written_at = clock_timestamp()
    where r.fleet = p_fleet and r.name = p_name and r.n = p_n - 1;
  end if;
  if exists (select 1 from ralph.registers r where r.fleet = p_fleet and r.name = p_name and r.n = p_n and r.nonce = p_nonce) then
    return 'put';
  end if;
  return 'taken';
end;
$$;
