import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  EventQueue,
  type QueueDependencies,
} from '../../../../islands/runtime/tracking/event-queue.ts';
import type { SentEvent } from '../../../../worker/analytics/rules/sent-event.ts';

const event = (at: number, properties = {}): SentEvent => ({
  id: `e${at}`,
  name: 'click',
  at,
  session: 's',
  properties,
});

/** A server that responds with these statuses, and with 200 afterwards. */
function openQueue(statuses: number[] = [], stored: SentEvent[] = [], beaconAccepts = () => true) {
  const posts: string[][] = [];
  const beacons: string[][] = [];
  const timers: { job: () => void; ms: number }[] = [];
  let saved = stored;
  const ids = (events: readonly SentEvent[]) => events.map(({ id }) => id);
  const dependencies: QueueDependencies = {
    async post(events) {
      posts.push(ids(events));
      return statuses.shift() ?? 204;
    },
    beacon: (events) => beacons.push(ids(events)) > 0 && beaconAccepts(),
    load: () => stored,
    save: (events) => {
      saved = [...events];
    },
    later(job, ms) {
      const timer = { job, ms };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  };
  /** Lets pending work finish. */
  const settle = () => new Promise((done) => setImmediate(done));
  /** Advances the clock to the next timer. */
  const tick = async () => {
    const timer = timers.shift();
    timer?.job();
    await settle();
    return timer?.ms;
  };
  const queue = new EventQueue(dependencies);
  return {
    queue,
    posts,
    beacons,
    timers,
    tick,
    settle,
    saved: () => ids(saved),
    events: () => saved,
  };
}

const fill = (queue: EventQueue, count: number, from = 0) => {
  for (let at = from; at < from + count; at += 1) queue.push(event(at));
};

it('event queue: sends in order after 30 s, or at once when 30 wait', async () => {
  const { queue, posts, tick, saved } = openQueue();
  queue.open();
  fill(queue, 2);
  expect(posts).toEqual([]);
  expect(await tick()).toBe(30_000);
  expect([posts, saved()]).toEqual([[['e0', 'e1']], []]);
  fill(queue, 30, 2);
  expect(await tick()).toBe(0);
  expect(posts[1]).toHaveLength(30);
  expect(posts[1]?.[0]).toBe('e2');
});

it('event queue: passes 50 events at a time to sendBeacon, whose size is limited', () => {
  const { queue, beacons } = openQueue();
  queue.open();
  fill(queue, 101);
  queue.flush();
  expect(beacons.map(({ length }) => length)).toEqual([50, 50, 1]);
});

it('event queue: uses the beacon only when events of a closing page fill it', () => {
  const { queue, posts, beacons } = openQueue();
  queue.open();
  fill(queue, 30);
  queue.flush();
  expect([posts, beacons.map(({ length }) => length)]).toEqual([[], [30]]);
});

it('event queue: sends 100 at a time', async () => {
  const { queue, posts, tick } = openQueue();
  fill(queue, 250);
  expect(posts).toEqual([]);
  queue.open();
  await tick();
  expect(posts.map(({ length }) => length)).toEqual([100, 100, 50]);
});

it('event queue: halves a batch that is too large, drops a single event that is', async () => {
  const { queue, posts, tick, saved } = openQueue([413, 413, 204, 413]);
  fill(queue, 4);
  queue.open();
  await tick();
  expect(posts).toEqual([['e0', 'e1', 'e2', 'e3'], ['e0', 'e1'], ['e0'], ['e1'], ['e2'], ['e3']]);
  expect(saved()).toEqual([]);
});

it('event queue: keeps unsent events and retries with growing delays', async () => {
  const { queue, posts, tick, saved } = openQueue([0, 503, 429, 408, 500, 500, 500]);
  queue.open();
  fill(queue, 1);
  const pauses: (number | undefined)[] = [];
  for (let i = 0; i < 8; i += 1) pauses.push(await tick());
  expect(pauses).toEqual([30, 60, 120, 240, 480, 600, 600, 600].map((s) => s * 1000));
  expect([posts.length, saved()]).toEqual([8, []]);
});

it('event queue: does not call a failing server before the retry delay', async () => {
  const { queue, posts, tick, settle, saved } = openQueue([500]);
  queue.open();
  fill(queue, 30);
  await tick();
  fill(queue, 40, 30);
  await settle();
  expect([posts.length, saved().length]).toEqual([1, 70]);
  queue.retry();
  await settle();
  expect([posts.length, saved().length]).toEqual([2, 0]);
  expect(await tick()).toBe(undefined);
});

it('event queue: sends one batch at a time, and returns to 30 s after a success', async () => {
  const { queue, posts, tick, settle } = openQueue([503]);
  queue.open();
  fill(queue, 1);
  await tick();
  const uploads = [queue.upload(), queue.upload()];
  await Promise.all(uploads);
  expect(posts).toEqual([['e0'], ['e0']]);
  fill(queue, 1, 1);
  await settle();
  expect(await tick()).toBe(30_000);
});

it('event queue: a timer that fires during a failing request does not end the retries', async () => {
  const { queue, tick, timers } = openQueue([503]);
  queue.open();
  fill(queue, 1);
  const failing = queue.upload();
  fill(queue, 1, 1);
  await Promise.all([tick(), failing]);
  expect(timers.map(({ ms }) => ms)).toEqual([60_000]);
});

it('event queue: retries at once when the network returns during a request', async () => {
  const { queue, posts, tick, saved, timers } = openQueue([0, 0]);
  queue.open();
  fill(queue, 30);
  const first = tick();
  queue.retry();
  await first;
  expect([posts.length, saved().length, timers.length]).toEqual([2, 30, 1]);
  await tick();
  expect([posts.length, saved().length]).toEqual([3, 0]);
});

it('event queue: drops a batch that is refused for good', async () => {
  const { queue, tick, saved, timers } = openQueue([400]);
  queue.open();
  fill(queue, 1);
  await tick();
  expect([saved(), timers]).toEqual([[], []]);
});

it('event queue: waits for consent, and drops everything without it', async () => {
  const { queue, posts, tick, saved, timers } = openQueue();
  fill(queue, 40);
  queue.flush();
  expect([posts, timers, saved().length]).toEqual([[], [], 40]);
  queue.close();
  queue.open();
  await tick();
  expect([posts, saved()]).toEqual([[], []]);
});

it('event queue: continues with the events of an earlier document', async () => {
  const { queue, posts, tick } = openQueue([], [event(7)]);
  queue.open();
  await tick();
  expect(posts).toEqual([['e7']]);
});

it('event queue: sends the rest by beacon and keeps it until confirmed', () => {
  const { queue, beacons, saved } = openQueue();
  queue.open();
  fill(queue, 12);
  queue.flush();
  expect([beacons, saved().length]).toEqual([
    [Array.from({ length: 12 }, (_, at) => `e${at}`)],
    12,
  ]);
});

it('event queue: passes an event to sendBeacon once, and again if the browser refused it', () => {
  const takes = [true, false, true];
  const { queue, beacons } = openQueue([], [], () => takes.shift() ?? true);
  queue.open();
  fill(queue, 2);
  queue.flush();
  queue.push(event(2));
  queue.flush();
  queue.flush();
  queue.flush();
  expect(beacons).toEqual([['e0', 'e1'], ['e2'], ['e2']]);
});

it('event queue: deduplicates, keeps the latest thousand, truncates', () => {
  const { queue, saved, events } = openQueue();
  queue.push(event(1, { long: 'x'.repeat(5000), many: 1 }));
  queue.push(event(1));
  expect(events()[0]?.properties).toEqual({ long: 'x'.repeat(4096), many: 1 });
  fill(queue, 1200, 2);
  expect([saved().length, saved().at(-1)]).toEqual([1000, 'e1201']);
  const wide = Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [`p${at}`, at]));
  queue.push(event(5000, wide));
  expect(Object.keys(events().at(-1)?.properties ?? {})).toHaveLength(1000);
});

it('event queue: loses nothing and duplicates nothing under random failures', async () => {
  const answer = fc.constantFrom(204, 0, 413, 500, 429);
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { maxLength: 12 }), fc.nat(150), async (answers, count) => {
      const plan = [...answers];
      const { queue, posts, tick, settle, saved, timers } = openQueue(answers);
      queue.open();
      fill(queue, count);
      await settle();
      while (timers.length > 0) await tick();
      expect(saved()).toEqual([]);
      const all = posts.map((ids, at) => ({ ids, status: plan[at] ?? 204 }));
      const final = all.filter(
        ({ ids, status }) => status === 204 || (status === 413 && ids.length === 1),
      );
      const ids = final.flatMap((each) => each.ids);
      expect(ids).toEqual(Array.from({ length: count }, (_, at) => `e${at}`));
    }),
    { numRuns: 60 },
  );
});
