import { setTimeout } from 'node:timers/promises';
import { memoryOf } from './edge/process.ts';
import { atMost, printFigures } from './figures.ts';
import { type FaultyFunnel, openFaultyFunnel } from './soak/faulty-funnel.ts';
import { heapOf } from './soak/heap.ts';
import { ledgers } from './soak/ledgers.ts';
import { visitors } from './soak/visitors.ts';
import { growth } from './statistics.ts';

/** Between two visitors, in ms, so that a constant number of objects is active. */
const pause = 400;
/** An object sleeps after 10 seconds without calls. */
const restMs = 15_000;
const rounds = 8;
const paid = 699 + 799;

/** Each visitor has an IP address, a language and a time zone. */
function visitorOf(site: string, number: number) {
  const timezone = Intl.supportedValuesOf('timeZone')[number % 400];
  const headers = {
    'cf-connecting-ip': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    'MF-CF-Blob': JSON.stringify({ country: 'US', timezone }),
  };
  return visitors(async (path, init) => {
    const all = { ...init, headers: { ...init.headers, ...headers } };
    const response = await fetch(`${site}${path}`, all);
    return { status: response.status, body: await response.text() };
  });
}

interface Counts {
  visitors: number;
  pages: number;
  calls: number;
  refused: number;
  declined: number;
}

/** Visitors who arrive and buy until the time is over; adds to the earlier counts. */
async function load(site: string, ms: number, did: Counts): Promise<void> {
  const end = performance.now() + ms;
  const one = async () => {
    const number = did.visitors++;
    const { signUp, pay, counts } = visitorOf(site, number);
    await pay(number, (await signUp()).token);
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) did[name] += counts[name];
  };
  const visits: Promise<void>[] = [];
  while (performance.now() < end) {
    visits.push(one());
    await setTimeout(pause);
  }
  await Promise.all(visits);
}

/** RSS of workerd and the heap of the funnel's isolate, in MB, after each pause of the load. */
async function soak({ isolatedWorker: house, site }: FaultyFunnel, ms: number) {
  const inspector = await house.server.getInspectorURL();
  const did = { visitors: 0, pages: 0, calls: 0, refused: 0, declined: 0 };
  const heap: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await load(site, ms / rounds, did);
    await setTimeout(restMs);
    heap.push(await heapOf(inspector));
    whole.push(memoryOf(house.pid));
  }
  return { did, memory: { 'heap of the isolate': growth(heap), 'whole process': growth(whole) } };
}

/**
 * Visitors of the built Worker in workerd while 5 of 100 calls to everything else fail: memory during the load, and
 * correct money at the end.
 * @param full three minutes
 */
export async function benchSoak(full: boolean) {
  const ms = full ? 180_000 : 20_000;
  const funnel = await openFaultyFunnel();
  await funnel.fail(0.05);
  const { did, memory } = await soak(funnel, ms);
  const faults = await funnel.fail(0);
  const money = await ledgers(funnel);
  await funnel.isolatedWorker.server.dispose();
  const parts = { did: { ...did, ...faults }, memory, money };
  for (const [name, part] of Object.entries(parts)) {
    process.stdout.write(`\n${name}\n`);
    console.table(part);
  }
  const figures = [
    atMost('money: objects, copies and banks that differ', money.same ? 0 : 1, 0),
    atMost('money: the ledger in D1, off the banks', Math.abs(money.copied - money.fakes), 0),
    atMost('money: the banks, off what was sold', Math.abs(money.fakes - did.visitors * paid), 0),
    atMost(
      'heap of the isolate: last quarter, of the third',
      memory['heap of the isolate'].growth,
      1.05,
    ),
    atMost(
      'memory of the process: last quarter, of the third',
      memory['whole process'].growth,
      1.05,
    ),
  ];
  printFigures(figures);
  return { figures, parts };
}
