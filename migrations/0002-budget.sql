-- One limit for all workers of a fleet. Every attempt reserves its share before it starts, so that together they never plan to spend more than is left.

-- Null: there is no limit. What was settled before `budget_since` does not count.
alter table ralph.fleets add column budget_usd numeric check (budget_usd >= 0);
alter table ralph.fleets add column budget_since timestamptz not null default '-infinity';

-- One row for each attempt. Not settled: its agent runs, and its share counts as long as its session lives.
create table ralph.costs (
  fleet text not null references ralph.fleets on delete cascade,
  run text not null check (octet_length(run) <= 200),
  attempt text not null check (octet_length(attempt) <= 200),
  session text not null,
  reserved_usd numeric not null check (reserved_usd >= 0),
  spent_usd numeric check (spent_usd >= 0),
  settled_at timestamptz,
  primary key (fleet, run, attempt)
);
create index costs_settled on ralph.costs (fleet, settled_at);
create index costs_open on ralph.costs (fleet, session) where spent_usd is null;

-- Locks the session against its end, and says whether it lives.
create function ralph.lives(p_fleet text, p_session text) returns boolean language sql as $$
  with mine as (select s.ended_at, s.lease_until from ralph.sessions s where s.fleet = p_fleet and s.id = p_session for share)
  select exists (select 1 from mine where ended_at is null and lease_until > clock_timestamp());
$$;

-- What is left of the budget, without the shares of living sessions; null without a limit.
create function ralph.budget(p_fleet text) returns table (limit_usd numeric, spent_usd numeric, reserved_usd numeric, reservations bigint, workers bigint)
language sql stable as $$
  select f.budget_usd,
    (select coalesce(sum(c.spent_usd), 0) from ralph.costs c where c.fleet = f.id and c.settled_at >= f.budget_since),
    coalesce(open.usd, 0), coalesce(open.count, 0),
    (select coalesce(sum(greatest(1, coalesce((s.about ->> 'workers')::int, 1))), 0)
     from ralph.sessions s where s.fleet = f.id and s.ended_at is null and s.lease_until > clock_timestamp())
  from ralph.fleets f left join lateral (
    select sum(c.reserved_usd) as usd, count(*) as count
    from ralph.costs c join ralph.sessions s on s.fleet = c.fleet and s.id = c.session
    where c.fleet = f.id and c.spent_usd is null and s.ended_at is null and s.lease_until > clock_timestamp()
  ) open on true
  where f.id = p_fleet;
$$;

-- Reserves at most `p_wanted` for an attempt: what is left, divided among the workers that have no share. `wait`: others have reserved all that is left.
create function ralph.reserve(p_fleet text, p_session text, p_run text, p_attempt text, p_wanted numeric)
returns table (answer text, usd numeric, limit_usd numeric, spent_usd numeric) language plpgsql as $$
declare
  b record;
  share numeric := p_wanted;
  remaining numeric;
  -- Agents know no smaller limit.
  smallest constant numeric := 0.01;
begin
  -- One after the other, so that no two get the same money.
  perform 1 from ralph.fleets f where f.id = p_fleet for update;
  if not ralph.lives(p_fleet, p_session) then
    return query select 'over', 0::numeric, null::numeric, null::numeric;
    return;
  end if;
  delete from ralph.costs c where c.fleet = p_fleet and c.run = p_run and c.attempt = p_attempt and c.spent_usd is null;
  select * into b from ralph.budget(p_fleet);
  if b.limit_usd is not null then
    if b.limit_usd - b.spent_usd < smallest then
      return query select 'spent', 0::numeric, b.limit_usd, b.spent_usd;
      return;
    end if;
    remaining := b.limit_usd - b.spent_usd - b.reserved_usd;
    if remaining < smallest then
      return query select 'wait', 0::numeric, b.limit_usd, b.spent_usd;
      return;
    end if;
    share := trunc(greatest(smallest, remaining / greatest(1, b.workers - b.reservations)), 6);
    share := least(share, coalesce(p_wanted, share));
  end if;
  insert into ralph.costs (fleet, run, attempt, session, reserved_usd)
  values (p_fleet, p_run, p_attempt, p_session, coalesce(share, 0)) on conflict do nothing;
  return query select 'granted', share, b.limit_usd, b.spent_usd;
end;
$$;

-- Once for each attempt. Null: nobody knows what it cost, and it counts as one of the dear ones.
create function ralph.settle(p_fleet text, p_session text, p_run text, p_attempt text, p_usd numeric) returns text language plpgsql as $$
declare
  cost numeric := p_usd;
begin
  if not ralph.lives(p_fleet, p_session) then
    return 'over';
  end if;
  if cost is null then
    select percentile_disc(0.9) within group (order by c.spent_usd) into cost from (
      select l.spent_usd from ralph.costs l where l.fleet = p_fleet and l.spent_usd > 0 order by l.settled_at desc limit 100
    ) c;
  end if;
  insert into ralph.costs as c (fleet, run, attempt, session, reserved_usd, spent_usd, settled_at)
  values (p_fleet, p_run, p_attempt, p_session, 0, coalesce(cost, 0), clock_timestamp())
  on conflict (fleet, run, attempt) do update set spent_usd = excluded.spent_usd, settled_at = excluded.settled_at, session = excluded.session
  where c.spent_usd is null;
  return 'settled';
end;
$$;
