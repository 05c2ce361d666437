import { listenKeys, map } from 'nanostores';
import type { Duration } from '../../worker/invitations/rules/invitation.ts';
import { codeInUrl } from '../app-link/url-code.ts';
import { type AreaDrawing, drawingAround } from '../maps/area-drawing.ts';
import { call, errorCode } from '../runtime/api.ts';
import type { InvitationProgress } from '../stores/checklist.ts';
import { $checkout } from '../stores/checkout.ts';
import { sessionToken } from '../stores/signup.ts';

export interface NewInvitation {
  phone: string;
  /** ISO 3166 alpha-2 for a national number; the visitor's country when omitted. */
  country: string | undefined;
  name: string;
  duration: string;
}

/** An invitation as the requester sees it; all refusals look alike. Times in ms since 1970. */
export interface ShownInvitation {
  id: string;
  /** `kept`: waits for the requester's e-mail to be confirmed. `not_sent`: refused after that. */
  state: 'kept' | 'not_sent' | 'sending' | 'sent' | 'accepted' | 'not_shared';
  requested_at: number;
  via: 'sms' | 'link';
  number_end: string;
  /** When an SMS is sent after quiet hours; of a kept one, if it were confirmed now. */
  sends_at: number | null;
  /** SMS delivery; null while unknown, or for a link. */
  delivery: 'delivered' | 'undeliverable' | 'unknown' | null;
  /** Deadline: until then only an acceptance is shown, or the message is kept. */
  answer_by: number;
  /** Who ended what is not shared, as far as the requester knows. */
  ended_by: 'time' | 'invitee' | 'requester' | null;
  until: number | null;
  position: { latitude: number; longitude: number; accuracy: number; at: number } | null;
  /** Why it was not sent. */
  reason: string | null;
  /** The code of the reason. */
  refusal: string | null;
  /** The requester's name in a message that was not sent. */
  name?: string;
}

/** What the invitee would read, in their language; `{{name}}` stands for the requester. */
export interface MessagePreview {
  messages: Record<Duration, string>;
  language: string;
  /** How they refuse further messages, at the end of our SMS. */
  stop: string;
  /** When our SMS would be sent, after quiet hours; null for at once. */
  sends_at: number | null;
  by_sms: boolean;
}

export interface OwnMessage {
  id: string;
  link: string;
  sms: string;
  qr_code?: string;
  /** Whether the buyer has left the page since, where alone it can be sent. */
  isSent?: boolean;
}

interface InvitationsSlice {
  /** `hidden` when the account has no plan that allows invitations. */
  stage: 'waiting' | 'hidden' | 'failed' | 'open';
  invitations: readonly ShownInvitation[];
  drawings: Readonly<Record<string, AreaDrawing | null>>;
  /** Until when the guarantee can be claimed, ms since 1970; 0 if it cannot be claimed now. */
  refundUntil: number;
  /** Whether an invitee is known to have accepted; then the page mentions no refund. */
  everAccepted: boolean;
  emailVerified: boolean;
}

export const $invitations = map<InvitationsSlice>({
  stage: 'waiting',
  invitations: [],
  drawings: {},
  refundUntil: 0,
  everAccepted: false,
  emailVerified: false,
});

const path = '/users/me/invitations';
const guarantee = '/users/me/guarantee';
const hidingErrors = ['unauthorized', 'main_plan_required', 'not_found'];

const isOpen = ({ state }: ShownInvitation) => state !== 'not_shared' && state !== 'not_sent';
const isOver = (list: readonly ShownInvitation[]) => list.length > 0 && !list.some(isOpen);
export const noInviteeAccepted = ({
  invitations,
  everAccepted,
}: Pick<InvitationsSlice, 'invitations' | 'everAccepted'>) => isOver(invitations) && !everAccepted;

/** @param isScanned whether the buyer's phone is to scan the message */
export function invitationProgress(
  { stage, invitations }: Pick<InvitationsSlice, 'stage' | 'invitations'>,
  isFormShown: boolean,
  isScanned = false,
): InvitationProgress {
  if (stage === 'waiting') return 'unknown';
  if (isFormShown) return 'form';
  if (isScanned) return 'scan';
  if (isOver(invitations)) return 'over';
  // Until the mailbox is confirmed, they have not seen where the person is.
  return invitations.some(({ position }) => position) ? 'accepted' : 'invited';
}

async function drawingsOf(list: readonly ShownInvitation[]): Promise<InvitationsSlice['drawings']> {
  const { drawings } = $invitations.get();
  const withDrawings = list.map(async ({ id, position }) => {
    if (!position) return [id, null] as const;
    const point = { lat: position.latitude, lng: position.longitude };
    return [id, drawings[id] ?? (await drawingAround(point))] as const;
  });
  return Object.fromEntries(await Promise.all(withDrawings));
}

type Guarantee = Pick<InvitationsSlice, 'refundUntil' | 'everAccepted'>;

/** Whether the guarantee refunds now; not when the request fails. */
async function refundFor(list: readonly ShownInvitation[]): Promise<Guarantee> {
  const none = { refundUntil: 0, everAccepted: false };
  if (!isOver(list)) return none;
  return call<{ data: { until: number; agreed: boolean } }>(guarantee, {
    bearer: sessionToken(),
  }).then(
    ({ data }) => ({ refundUntil: data.until, everAccepted: data.agreed }),
    () => none,
  );
}

export async function loadInvitations(token = sessionToken()): Promise<void> {
  // A sign-in link being opened may end this session; a call would then sign the buyer out.
  if (codeInUrl()) return;
  if (!token) return $invitations.setKey('stage', 'hidden');
  if ($invitations.get().stage !== 'open') $invitations.setKey('stage', 'waiting');
  try {
    const answer = await call<{ data: ShownInvitation[]; email_verified: boolean }>(path, {
      bearer: token,
    });
    const { data: invitations, email_verified: emailVerified } = answer;
    const [drawings, guaranteeState] = await Promise.all([
      drawingsOf(invitations),
      refundFor(invitations),
    ]);
    const isEmpty = invitations.length === 0 && !$checkout.get().isSuccess;
    const stage = isEmpty ? 'hidden' : 'open';
    $invitations.set({ stage, invitations, drawings, emailVerified, ...guaranteeState });
  } catch (error) {
    // The current list stays on screen while the network is down.
    if (hidingErrors.includes(errorCode(error) ?? '')) $invitations.setKey('stage', 'hidden');
    else if ($invitations.get().stage !== 'open') $invitations.setKey('stage', 'failed');
  }
}

export async function previewFor(
  number: Pick<NewInvitation, 'phone' | 'country'>,
): Promise<MessagePreview | null> {
  const sent = { body: number, bearer: sessionToken() };
  return call<{ data: MessagePreview }>(`${path}/sms-preview`, sent).then(
    ({ data }) => data,
    () => null,
  );
}

export async function postInvitation(request: NewInvitation): Promise<void> {
  await call(path, { body: { ...request, via: 'sms' }, bearer: sessionToken() });
  await loadInvitations();
}

export async function ownMessageFor(request: NewInvitation, qr: boolean): Promise<OwnMessage> {
  const body = { ...request, via: 'link', qr };
  const { data, ...message } = await call<Omit<OwnMessage, 'id'> & { data: { id: string } }>(path, {
    body,
    bearer: sessionToken(),
  });
  return { ...message, id: data.id };
}

export async function postKept(id: string): Promise<void> {
  await call(`${path}/${id}/send`, { body: {}, bearer: sessionToken() });
  await loadInvitations();
}

export async function endInvitation(id: string): Promise<void> {
  await call(`${path}/${id}`, { method: 'DELETE', bearer: sessionToken() });
  await loadInvitations();
}

export async function withdrawInvitation(): Promise<void> {
  await call(guarantee, { body: {}, bearer: sessionToken() });
  await loadInvitations();
}

const pollIntervalMs = 15_000;

export function watchInvitations(): () => void {
  const refresh = () => {
    const { stage, invitations } = $invitations.get();
    const isVisible = document.visibilityState === 'visible';
    if (isVisible && stage === 'open' && invitations.some(isOpen)) loadInvitations();
  };
  const timer = setInterval(refresh, pollIntervalMs);
  document.addEventListener('visibilitychange', refresh);
  // A refund elsewhere on the page ends open invitations.
  const unlisten = listenKeys($checkout, ['isSuccess'], () => loadInvitations());
  return () => {
    unlisten();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', refresh);
  };
}
