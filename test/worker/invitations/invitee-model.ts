import fc from 'fast-check';
import { InviteeStorage } from '../../../worker/invitations/invitee-storage.ts';
import type { Duration, InvitationState } from '../../../worker/invitations/rules/invitation.ts';
import {
  type RequesterView,
  requesterView,
} from '../../../worker/invitations/rules/invitation-view.ts';
import { memoryKv } from '../memory-kv.ts';
import { contact, here, morning, question } from './invitation-fixture.ts';

const hour = 60 * 60_000;
/** Ten in the evening in Berlin. */
const night = morning + 12 * hour;
const lasting: Record<Duration, number> = { hour, day: 24 * hour, until_stopped: 720 * hour };

/** What we believe of one question. */
interface Belief {
  account: string;
  state: InvitationState;
  asked: number;
  /** When its text may go out; 0 for a link. */
  sends: number;
  yes: number;
  /** Whether who asked knows of its end: they took it back, or its time ran out. */
  known: boolean;
  duration: Duration;
}

/** What we believe of a person, told by the rules and not by the code. */
export interface Model {
  now: number;
  stopped: boolean;
  blocked: Set<string>;
  asked: Map<string, Belief>;
}

export interface Real {
  person: InviteeStorage;
  kept: Map<string, unknown>;
}

const open = (state: InvitationState) => ['drafted', 'sent', 'opened', 'accepted'].includes(state);

/** Time ends what it must. */
function pass(model: Model): void {
  for (const one of model.asked.values()) {
    const yes = one.state === 'accepted';
    const end = yes ? one.yes + lasting[one.duration] : one.asked + 168 * hour;
    if (!open(one.state) || model.now < end) continue;
    one.state = yes ? 'stopped' : 'expired';
    one.known = true;
  }
}

const never: Belief = {
  account: '',
  state: 'expired',
  asked: 0,
  sends: 0,
  yes: 0,
  duration: 'hour',
  known: false,
};

type Told = Pick<RequesterView, 'state' | 'sends_at'>;

/** All that who asked, and was never shown a yes, can tell: that time passes, and what they did. */
function hides({ now }: Model, { asked, sends, known, state }: Belief, told: Told): void {
  if (state === 'accepted') return;
  const waits = now < sends;
  const asks = waits || state === 'drafted' ? 'sending' : 'sent';
  const may = known || now >= asked + 168 * hour ? 'not_shared' : asks;
  const until = may === 'sending' && waits ? sends : null;
  if (told.state === may && told.sends_at === until) return;
  throw new Error(`${state} shows as ${told.state} until ${told.sends_at}`);
}

/** What must hold whatever happened. Throws what does not. */
function check(model: Model, { person, kept }: Real): void {
  pass(model);
  const { now } = model;
  for (const [id, { state }] of model.asked) {
    // Read first: nobody has looked at the clock for this person since.
    const place = person.position(id, now);
    const invitation = person.invitation(id, now);
    if (invitation?.state !== state) throw new Error(`${invitation?.state}, not ${state}`);
    const seen = requesterView(invitation, place, now);
    const { position } = seen;
    hides(model, model.asked.get(id) ?? never, seen);
    const stored = kept.has(`position:${id}`);
    for (const readable of [place !== null, position !== null, stored]) {
      if (readable !== (state === 'accepted')) throw new Error(`readable while ${state}`);
    }
  }
  const found = person.invitations(now);
  const live = found.filter(({ state }) => open(state));
  const pairs = new Set(live.map(({ account }) => account));
  if (pairs.size !== live.length) throw new Error('two open between two people');
  const known = JSON.stringify([...kept]).includes(contact.e164);
  if (known !== live.length > 0) throw new Error(`number kept: ${known}`);
  if (JSON.stringify([...kept]).includes(String(here.latitude))) throw new Error('too exact');
}

type Move = (model: Model, real: Real) => void;

const command = (name: string, run: Move): fc.Command<Model, Real> => ({
  check: () => true,
  run: (model, real) => {
    run(model, real);
    check(model, real);
  },
  toString: () => name,
});

const account = fc.constantFrom('a', 'b');

const ask = fc
  .record({
    account,
    duration: fc.constantFrom<Duration>('hour', 'day', 'until_stopped'),
    via: fc.constantFrom('text' as const, 'link' as const),
  })
  .map(({ account, duration, via }) =>
    command(`ask ${account} ${duration} ${via}`, (model, { person }) => {
      pass(model);
      const busy = [...model.asked.values()].some(
        (one) => one.account === account && open(one.state),
      );
      const pending = person.pendingOf(account, model.now);
      if (busy && !pending) throw new Error('open?');
      const refused = model.stopped || model.blocked.has(account);
      const resting = person.isResting(account, model.now);
      if (refused && !resting) throw new Error('may ask whom they may not');
      if (pending || resting) return;
      const draft = question(account, { duration, via });
      const code = { code: 'c', hash: `hash ${draft.id}`, version: 1 };
      const { sendsAt } = person.ask(draft, code, contact, model.now);
      const state = via === 'link' ? 'sent' : 'drafted';
      model.asked.set(draft.id, {
        account,
        state,
        asked: model.now,
        sends: sendsAt ?? 0,
        yes: 0,
        known: false,
        duration,
      });
    }),
  );

/** Something done to the newest question of an account. */
const onNewest = (
  name: string,
  run: (id: string, belief: Belief, model: Model, real: Real) => void,
) =>
  account.map((who) =>
    command(`${name} ${who}`, (model, real) => {
      pass(model);
      const newest = [...model.asked].findLast(([, one]) => one.account === who);
      if (newest) run(...newest, model, real);
    }),
  );

const act = (
  what: 'send' | 'open' | 'decline' | 'stop',
  from: InvitationState,
  to: InvitationState,
) =>
  onNewest(what, (id, belief, { now }, { person }) => {
    person.act(id, what, 'person', now);
    if (belief.state === from) belief.state = to;
  });

const end = (belief: Belief, no: InvitationState) => {
  if (open(belief.state)) belief.state = belief.state === 'accepted' ? 'stopped' : no;
};

function yes(id: string, belief: Belief, now: number, person: InviteeStorage): void {
  person.accept(id, here, now);
  if (belief.state === 'opened') Object.assign(belief, { state: 'accepted', yes: now });
}

const accept = onNewest('accept', (id, belief, { now }, { person }) =>
  yes(id, belief, now, person),
);

/** What most people do next, so that a yes is no rare thing. */
const goOn = onNewest('go on', (id, belief, { now }, { person }) => {
  const next = { drafted: 'sent', sent: 'opened' } as const;
  if (belief.state === 'drafted') person.act(id, 'send', 'vendor', now);
  else if (belief.state === 'sent') person.act(id, 'open', 'person', now);
  else return yes(id, belief, now, person);
  belief.state = next[belief.state];
});

/** The person got the link from who asked, maybe before its text went out. */
const openLink = onNewest('open the link', (id, belief, { now }, { person }) => {
  for (const what of ['send', 'open'] as const) person.act(id, what, 'person', now);
  if (belief.state === 'drafted' || belief.state === 'sent') belief.state = 'opened';
});

/** All that can happen to a person, in any order. */
export const commands = [
  ask,
  ask,
  act('send', 'drafted', 'sent'),
  act('open', 'sent', 'opened'),
  act('decline', 'opened', 'declined'),
  act('stop', 'accepted', 'stopped'),
  openLink,
  accept,
  goOn,
  goOn,
  goOn,
  onNewest('block', (_id, belief, model, { person }) => {
    person.block(belief.account, 'person', model.now);
    model.blocked.add(belief.account);
    for (const one of model.asked.values()) if (one.account === belief.account) end(one, 'blocked');
  }),
  onNewest('cancel', (id, belief, { now }, { person }) => {
    person.takeBack(id, now);
    belief.known = true;
    end(belief, 'expired');
  }),
  onNewest('leave', (_id, { account: who }, { now, asked }, { person }) => {
    person.forget(who, now);
    for (const one of asked.values()) {
      if (one.account !== who) continue;
      one.known = true;
      end(one, 'expired');
    }
  }),
  fc.constant(
    command('STOP', (model, { person }) => {
      pass(model);
      person.stopAll(model.now);
      model.stopped = true;
      for (const one of model.asked.values()) end(one, 'blocked');
    }),
  ),
  fc.oneof(fc.integer({ min: 1, max: hour }), fc.integer({ min: 1, max: 200 * hour })).map((ms) =>
    command(`wait ${ms}`, (model) => {
      model.now += ms;
    }),
  ),
];

/** A person of whom nobody asked anything yet. */
export function start(): { model: Model; real: Real } {
  const { kv, kept } = memoryKv();
  const model = { now: night, stopped: false, blocked: new Set<string>(), asked: new Map() };
  return { model, real: { person: new InviteeStorage(kv), kept } };
}
