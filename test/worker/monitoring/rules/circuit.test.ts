import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  admitPage,
  admitsCharge,
  afterCall,
  afterProbe,
  type Circuit,
  closedCircuit,
  type GatewayCall,
  isSuspect,
} from '../../../../worker/monitoring/rules/circuit.ts';

const call = (at: number, ok: boolean, ms = 0): GatewayCall => ({ ok, at, startedAt: at - ms });
const after = (calls: readonly GatewayCall[], from: Circuit = closedCircuit) =>
  calls.reduce(afterCall, from);
const opened: Circuit = { kind: 'open', openedAt: 1000, hasProbeFailed: false };

/** Calls one after another, with pauses and outcomes of any kind. */
const history = fc
  .array(fc.record({ ok: fc.boolean(), pauseMs: fc.nat(3000), ms: fc.nat(9000) }), {
    maxLength: 80,
  })
  .map((all) => {
    let at = 100_000;
    return all.map(({ ok, pauseMs, ms }) => {
      at += pauseMs;
      return call(at, ok, ms);
    });
  });

test('circuit: opens at the twentieth failure in a row at the latest, whatever came before', () => {
  fc.assert(
    fc.property(history, fc.nat(200), (before, gapMs) => {
      const start = (before.at(-1)?.at ?? 0) + 1;
      const from = after(before);
      if (from.kind === 'open') return;
      const failures = Array.from({ length: 20 }, (_, at) => call(start + at * gapMs, false));
      expect(after(failures, from).kind).toBe('open');
    }),
  );
});

test('circuit: opens within 10 seconds of failures even with few buyers', () => {
  // Like one attempt with retries: after 250 ms, doubling.
  const repeated = [0, 250, 750, 1750, 3750, 7750].map((at) => call(100_000 + at, false));
  expect(after(repeated).kind).toBe('open');
  // Like one call without a response, reported every four seconds.
  expect(after([call(104_000, false, 4000), call(108_000, false, 8000)]).kind).toBe('open');
});

test('circuit: the tenth failure in a row opens it, however fast they come', () => {
  const burst = (count: number) =>
    after(Array.from({ length: count }, (_, at) => call(100_000 + at * 10, false)));
  expect([burst(9).kind, burst(10).kind]).toEqual(['closed', 'open']);
});

test('circuit: two failures open it once they are five seconds apart', () => {
  fc.assert(
    fc.property(fc.oneof(fc.nat(9999), fc.constant(5000)), (apartMs) => {
      const both = after([call(100_000, false), call(100_000 + apartMs, false)]);
      expect(both.kind).toBe(apartMs >= 5000 ? 'open' : 'closed');
    }),
  );
});

test('circuit: opens when most of many calls fail, although some succeed', () => {
  const mixed = Array.from({ length: 30 }, (_, at) => call(100_000 + at * 100, at % 3 === 0));
  expect(after(mixed).kind).toBe('open');
});

test('circuit: a call counts for ten seconds', () => {
  const recentAt = (at: number) => {
    const circuit = after([call(100_000, true), call(at, true)]);
    return circuit.kind === 'closed' && circuit.recent.length;
  };
  expect([109_999, 110_000].map(recentAt)).toEqual([2, 1]);
});

test('circuit: stays closed while a success follows each failure', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3000), { maxLength: 60 }), (pauses) => {
      let at = 100_000;
      const calls = pauses.flatMap((pauseMs) => {
        at += pauseMs;
        return [call(at, false), call(at, true)];
      });
      expect(after(calls).kind).toBe('closed');
    }),
  );
});

test('circuit: single failures do not open it, close together or far apart', () => {
  expect(after([call(100_000, false), call(100_900, false)]).kind).toBe('closed');
  expect(after([0, 60_000, 120_000].map((at) => call(100_000 + at, false))).kind).toBe('closed');
});

test('circuit: a success never opens it, a failure never closes it', () => {
  fc.assert(
    fc.property(history, (calls) => {
      let before = closedCircuit;
      for (const one of calls) {
        const next = afterCall(before, one);
        if (one.ok && next.kind === 'open') expect(before.kind).toBe('open');
        if (!one.ok && next.kind === 'closed') expect(before.kind).toBe('closed');
        before = next;
      }
    }),
  );
});

test('circuit: stores no more calls than it evaluates', () => {
  fc.assert(
    fc.property(history, (calls) => {
      const circuit = after(calls);
      if (circuit.kind === 'closed') expect(circuit.recent.length).toBeLessThanOrEqual(40);
    }),
  );
});

test('circuit: admits no call while it is open, and ignores results of earlier calls', () => {
  expect(admitsCharge(opened)).toBe(false);
  expect(admitPage(opened, 'a', 5000).isAdmitted).toBe(false);
  expect(afterCall(opened, call(1500, true, 900))).toBe(opened);
  expect(afterCall(opened, call(1500, true, 500))).toBe(opened);
  expect(afterCall(opened, call(1500, true, 499)).kind).toBe('half_open');
});

test('circuit: after a failed probe the next success is a recovery', () => {
  const failed = afterProbe(opened, false, 2000);
  expect(afterProbe(failed, true, 3000)).toBe(closedCircuit);
  // A real call counts like a probe.
  expect(afterCall(failed, call(2500, true, 100))).toBe(closedCircuit);
});

test('circuit: after a probe without a fault single buyers may try', () => {
  const half = afterProbe(opened, true, 2000);
  expect(half.kind).toBe('half_open');
  expect(admitsCharge(half)).toBe(true);
  const first = admitPage(half, 'a', 10_000);
  expect(first.isAdmitted).toBe(true);
  expect(admitPage(first.circuit, 'b', 11_000).isAdmitted).toBe(false);
  // An account that reloads the page leaves the next trial to others.
  expect(admitPage(first.circuit, 'a', 13_000).isAdmitted).toBe(false);
  expect(admitPage(first.circuit, 'b', 13_000).isAdmitted).toBe(true);
  expect(afterCall(half, call(20_000, true))).toBe(closedCircuit);
  expect(afterCall(half, call(20_000, false))).toMatchObject({ kind: 'open', openedAt: 20_000 });
});

test('circuit: two failures are suspicious, and failing probes then open it within ten seconds', () => {
  const one = after([call(100_000, false)]);
  expect([isSuspect(closedCircuit), isSuspect(one)]).toEqual([false, false]);
  const two = after([call(100_500, false)], one);
  expect(isSuspect(two)).toBe(true);
  // A successful probe's read says nothing about payments.
  expect(afterProbe(two, true, 101_000)).toBe(two);
  let probed = two;
  let at = 100_500;
  while (probed.kind === 'closed') {
    at += 1000;
    probed = afterProbe(probed, false, at);
  }
  expect(at - 100_000).toBeLessThanOrEqual(10_000);
  // A failed probe detects the fault, so the next success is a recovery.
  expect(afterProbe(probed, true, at + 1000)).toBe(closedCircuit);
});

test('circuit: probes change nothing while no call fails', () =>
  expect(afterProbe(closedCircuit, false, 1000)).toBe(closedCircuit));

test('circuit: the last 200 accounts that took a trial take no second one', () => {
  let circuit: Circuit = { kind: 'half_open', triedAt: null, triedBy: [] };
  let now = 0;
  const admit = (account: string) => {
    now += 60_000;
    const admitted = admitPage(circuit, account, now);
    circuit = admitted.circuit;
    return admitted.isAdmitted;
  };
  for (let at = 0; at < 200; at += 1) expect(admit(`account ${at}`)).toBe(true);
  expect(admit('account 0')).toBe(false);
  expect(admit('another')).toBe(true);
  expect([admit('account 1'), admit('account 0')]).toEqual([false, true]);
});
