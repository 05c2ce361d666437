import fc from 'fast-check';
import { InviteeStorage } from '../../../worker/invitations/invitee-storage.ts';
import type { Duration, InvitationState } from '../../../worker/invitations/rules/invitation.ts';
import {
  type RequesterView,
  requesterView,
} from '../../../worker/invitations/rules/invitation-view.ts';
import type { AccountId, InvitationId } from '../../../worker/platform/types.ts';
import { memoryKv } from '../memory-kv.ts';
import { contact, draftOf, here, morning } from './invitation-fixture.ts';

const hour = 60 * 60_000;
const night = morning + 12 * hour;
const lasting: Record<Duration, number> = { hour, day: 24 * hour, until_stopped: 720 * hour };

/** The expected state of one invitation. */
interface Expected {
  account: AccountId;
  /** Whether the product texts the invitee. */
  texted: boolean;
  state: InvitationState;
  requestedAt: number;
  /** When its SMS is due; 0 for a link. */
  sends: number;
  yes: number;
  /** Whether the requester knows that it ended: they cancelled it, or its time is over. */
  known: boolean;
  duration: Duration;
}

/** The expected state of an invitee, derived from the rules without the code under test. */
export interface Model {
  now: number;
  stopped: boolean;
  /** Whether an SMS tells the invitee that a plan ended. */
  told: boolean;
  blocked: Set<AccountId>;
  invitations: Map<InvitationId, Expected>;
}

export interface Real {
  invitee: InviteeStorage;
  kept: Map<string, unknown>;
}

const open = (state: InvitationState) => ['drafted', 'sent', 'opened', 'accepted'].includes(state);

/** Expires what is due. */
function expire(model: Model): void {
  for (const one of model.invitations.values()) {
    const acceptNow = one.state === 'accepted';
    const end = acceptNow ? one.yes + lasting[one.duration] : one.requestedAt + 168 * hour;
    if (!open(one.state) || model.now < end) continue;
    one.state = acceptNow ? 'stopped' : 'expired';
    one.known = true;
  }
}

const never: Expected = {
  account: '' as AccountId,
  texted: false,
  state: 'expired',
  requestedAt: 0,
  sends: 0,
  yes: 0,
  duration: 'hour',
  known: false,
};

type ShownState = Pick<RequesterView, 'state' | 'sends_at'>;

/** Without an acceptance that was seen the requester sees only time passing and their own actions. */
function checkHidden(
  { now }: Model,
  { requestedAt, sends, known, state }: Expected,
  shown: ShownState,
): void {
  if (state === 'accepted') return;
  const waits = now < sends;
  const openState = waits || state === 'drafted' ? 'sending' : 'sent';
  const may = known || now >= requestedAt + 168 * hour ? 'not_shared' : openState;
  const until = may === 'sending' && waits ? sends : null;
  if (shown.state === may && shown.sends_at === until) return;
  throw new Error(`${state} shows as ${shown.state} until ${shown.sends_at}`);
}

/** Checks the invariants; throws for the first broken one. */
function check(model: Model, { invitee, kept }: Real): void {
  expire(model);
  const { now } = model;
  for (const [id, { state }] of model.invitations) {
    // Read first, because reading an invitation would already expire it.
    const position = invitee.position(id, now);
    const invitation = invitee.invitation(id, now);
    if (invitation?.state !== state) throw new Error(`${invitation?.state}, not ${state}`);
    const seen = requesterView(invitation, position, now);
    checkHidden(model, model.invitations.get(id) ?? never, seen);
    const stored = kept.has(`position:${id}`);
    for (const readable of [position !== null, seen.position !== null, stored]) {
      if (readable !== (state === 'accepted')) throw new Error(`readable while ${state}`);
    }
  }
  const live = invitee.invitations(now).filter(({ state }) => open(state));
  const pairs = new Set(live.map(({ account }) => account));
  if (pairs.size !== live.length) throw new Error('two open between two people');
  const known = JSON.stringify([...kept]).includes(contact.e164);
  const isTold = invitee.outbox.all().some(({ kind }) => kind === 'ended');
  if (isTold !== model.told) throw new Error(`told of an end: ${isTold}`);
  if (known !== (live.length > 0 || isTold)) throw new Error(`number kept: ${known}`);
  if (JSON.stringify([...kept]).includes(String(here.latitude))) throw new Error('too exact');
}

type Command = (model: Model, real: Real) => void;

const command = (name: string, run: Command): fc.Command<Model, Real> => ({
  check: () => true,
  run: (model, real) => {
    run(model, real);
    check(model, real);
  },
  toString: () => name,
});

const account = fc.constantFrom('a' as AccountId, 'b' as AccountId);

const inviteCommand = fc
  .record({
    account,
    duration: fc.constantFrom<Duration>('hour', 'day', 'until_stopped'),
    via: fc.constantFrom('sms' as const, 'link' as const),
  })
  .map(({ account, duration, via }) =>
    command(`ask ${account} ${duration} ${via}`, (model, { invitee }) => {
      expire(model);
      const busy = [...model.invitations.values()].some(
        (one) => one.account === account && open(one.state),
      );
      const pending = invitee.pendingOf(account, model.now);
      if (busy && !pending) throw new Error('an open invitation is not pending');
      const refused = model.stopped || model.blocked.has(account);
      const resting = invitee.isUnavailableTo(account, [], model.now);
      if (refused && !resting) throw new Error('available in spite of a refusal');
      if (pending || resting) return;
      const draft = draftOf(account, { duration, via });
      const code = { code: 'c', hash: `hash ${draft.id}`, version: 1 };
      const { sendsAt } = invitee.addInvitation(draft, code, contact, model.now);
      model.invitations.set(draft.id, {
        account,
        texted: via === 'sms' || duration === 'until_stopped',
        state: via === 'link' ? 'sent' : 'drafted',
        requestedAt: model.now,
        sends: sendsAt ?? 0,
        yes: 0,
        known: false,
        duration,
      });
    }),
  );

/** A command for the newest invitation of an account. */
const onNewest = (
  name: string,
  run: (id: InvitationId, expected: Expected, model: Model, real: Real) => void,
) =>
  account.map((who) =>
    command(`${name} ${who}`, (model, real) => {
      expire(model);
      const newest = [...model.invitations].findLast(([, one]) => one.account === who);
      if (newest) run(...newest, model, real);
    }),
  );

const act = (
  what: 'send' | 'open' | 'decline' | 'stop',
  from: InvitationState,
  to: InvitationState,
) =>
  onNewest(what, (id, expected, { now }, { invitee }) => {
    invitee.apply(id, what, 'invitee', now);
    if (expected.state === from) expected.state = to;
  });

const end = (expected: Expected, no: InvitationState) => {
  if (open(expected.state)) expected.state = expected.state === 'accepted' ? 'stopped' : no;
};

function endWithPlan(model: Model, account: AccountId, until: number): void {
  for (const one of model.invitations.values()) {
    if (one.account !== account || one.requestedAt > until) continue;
    if (one.state === 'accepted' && one.texted) model.told = true;
    one.known = true;
    end(one, 'expired');
  }
}

function yes(id: InvitationId, expected: Expected, now: number, invitee: InviteeStorage): void {
  invitee.accept(id, here, now);
  if (expected.state === 'opened') Object.assign(expected, { state: 'accepted', yes: now });
}

const accept = onNewest('accept', (id, expected, { now }, { invitee }) =>
  yes(id, expected, now, invitee),
);

const advance = onNewest('go on', (id, expected, { now }, { invitee }) => {
  const next = { drafted: 'sent', sent: 'opened' } as const;
  if (expected.state === 'drafted') invitee.apply(id, 'send', 'vendor', now);
  else if (expected.state === 'sent') invitee.apply(id, 'open', 'invitee', now);
  else return yes(id, expected, now, invitee);
  expected.state = next[expected.state];
});

const openLink = onNewest('open the link', (id, expected, { now }, { invitee }) => {
  for (const what of ['send', 'open'] as const) invitee.apply(id, what, 'invitee', now);
  if (expected.state === 'drafted' || expected.state === 'sent') expected.state = 'opened';
});

/** Every command, in any order. */
export const commands = [
  inviteCommand,
  inviteCommand,
  act('send', 'drafted', 'sent'),
  act('open', 'sent', 'opened'),
  act('decline', 'opened', 'declined'),
  act('stop', 'accepted', 'stopped'),
  openLink,
  accept,
  advance,
  advance,
  advance,
  onNewest('block', (_id, expected, model, { invitee }) => {
    invitee.block(expected.account, 'invitee', model.now);
    model.blocked.add(expected.account);
    const theirs = [...model.invitations.values()].filter(
      ({ account }) => account === expected.account,
    );
    for (const one of theirs) end(one, 'blocked');
  }),
  onNewest('cancel', (id, expected, { now }, { invitee }) => {
    invitee.cancel(id, now);
    expected.known = true;
    end(expected, 'expired');
  }),
  onNewest('leave', (_id, { account: who }, model, { invitee }) => {
    invitee.forgetRequester(who, model.now);
    endWithPlan(model, who, model.now);
  }),
  fc.tuple(account, fc.integer({ min: 0, max: 200 * hour })).map(([who, ago]) =>
    command(`plan of ${who} ends, ${ago} ms late`, (model, { invitee }) => {
      expire(model);
      for (const _again of [1, 2]) invitee.endWithPlan(who, model.now - ago, model.now);
      endWithPlan(model, who, model.now - ago);
    }),
  ),
  fc.constant(
    command('STOP', (model, { invitee }) => {
      expire(model);
      invitee.optOut(model.now);
      model.stopped = true;
      for (const one of model.invitations.values()) end(one, 'blocked');
    }),
  ),
  fc.oneof(fc.integer({ min: 1, max: hour }), fc.integer({ min: 1, max: 200 * hour })).map((ms) =>
    command(`wait ${ms}`, (model) => {
      model.now += ms;
    }),
  ),
];

export function start(): { model: Model; real: Real } {
  const { kv, values: kept } = memoryKv();
  const model = {
    now: night,
    stopped: false,
    told: false,
    blocked: new Set<AccountId>(),
    invitations: new Map(),
  };
  return { model, real: { invitee: new InviteeStorage(kv), kept } };
}
