import { listenKeys, map } from 'nanostores';
import { codeInUrl } from '../app-link/url-code.ts';
import type { AreaDrawing } from '../maps/area-drawing.ts';
import { drawingAround } from '../maps/load-drawing.ts';
import { call, errorCode } from '../runtime/api.ts';
import { $checkout } from '../stores/checkout.ts';
import { $signup } from '../stores/signup.ts';

/** What is asked for: whom, by whom, for how long. */
export interface Asked {
  phone: string;
  /** ISO 3166 alpha-2 of a national number; the visitor's own when left out. */
  country: string | undefined;
  /** The requester's, as the message says it. */
  name: string;
  duration: string;
}

/** An invitation as who asked sees it; every no looks the same. Times in ms since 1970. */
export interface Invitation {
  id: string;
  state: 'sending' | 'sent' | 'accepted' | 'not_shared';
  via: 'text' | 'link';
  /** The number's last two digits. */
  number_end: string;
  /** When a text goes out that waits for the day. */
  sends_at: number | null;
  /** How the text fared; null while nobody knows, and where there is none. */
  delivery: 'delivered' | 'undeliverable' | 'unknown' | null;
  /** Until then only a yes shows. */
  answer_by: number;
  until: number | null;
  position: { latitude: number; longitude: number; accuracy: number; at: number } | null;
}

/** The exact message. */
export interface Message {
  text: string;
  /** BCP 47. */
  language: string;
  sends_at: number | null;
}

interface InvitationsSlice {
  /** `hidden` for who has nothing to invite with. */
  stage: 'waiting' | 'hidden' | 'failed' | 'open';
  list: readonly Invitation[];
  /** The map of each place, by its invitation. */
  drawings: Readonly<Record<string, AreaDrawing | null>>;
  /** Whether the money comes back by one press, because nobody agreed. */
  refund: boolean;
  /** Whether somebody agreed once, as far as that is known; then nothing is said of money back. */
  agreed: boolean;
}

/** The invitations of this account. Not persisted. */
export const $invitations = map<InvitationsSlice>({
  stage: 'waiting',
  list: [],
  drawings: {},
  refund: false,
  agreed: false,
});

const path = '/users/me/invitations';
const guarantee = '/users/me/guarantee';
const bearer = () => $signup.get().token;
const hiding = ['unauthorized', 'main_purchase_missing', 'not_found'];

/** Whether an invitation can still come to something. */
const isOpen = ({ state }: Invitation) => state !== 'not_shared';
/** Whether somebody was asked, and no yes can come any more. */
const isOver = (list: readonly Invitation[]) => list.length > 0 && !list.some(isOpen);
/** Whether somebody was asked, and nobody agreed or still can. */
export const nobodyAgreed = ({ list, agreed }: Pick<InvitationsSlice, 'list' | 'agreed'>) =>
  isOver(list) && !agreed;

async function drawingsOf(list: readonly Invitation[]): Promise<InvitationsSlice['drawings']> {
  const { drawings } = $invitations.get();
  const drawn = list.map(async ({ id, position }) => {
    if (!position) return [id, null] as const;
    const point = { lat: position.latitude, lng: position.longitude };
    return [id, drawings[id] ?? (await drawingAround(point))] as const;
  });
  return Object.fromEntries(await Promise.all(drawn));
}

type Guarantee = Pick<InvitationsSlice, 'refund' | 'agreed'>;

/** Whether the guarantee gives the money back now; no where nobody can say. */
async function refundFor(list: readonly Invitation[]): Promise<Guarantee> {
  const none = { refund: false, agreed: false };
  if (!isOver(list)) return none;
  return call<{ data: { open: boolean; agreed: boolean } }>(guarantee, { bearer: bearer() }).then(
    ({ data }) => ({ refund: data.open, agreed: data.agreed }),
    () => none,
  );
}

/** Asks how the invitations stand; shows them with their maps, both at once. */
export async function loadInvitations(token = bearer()): Promise<void> {
  // A link that is being opened may end this session: a call would fail and sign the buyer out.
  if (codeInUrl()) return;
  if (!token) return $invitations.setKey('stage', 'hidden');
  if ($invitations.get().stage !== 'open') $invitations.setKey('stage', 'waiting');
  try {
    const { data: list } = await call<{ data: Invitation[] }>(path, { bearer: token });
    const [drawings, money] = await Promise.all([drawingsOf(list), refundFor(list)]);
    const nothing = list.length === 0 && !$checkout.get().isSuccess;
    $invitations.set({ stage: nothing ? 'hidden' : 'open', list, drawings, ...money });
  } catch (error) {
    // What is on screen stays while the network is away.
    if (hiding.includes(errorCode(error) ?? '')) $invitations.setKey('stage', 'hidden');
    else if ($invitations.get().stage !== 'open') $invitations.setKey('stage', 'failed');
  }
}

/** Why a text can not be sent where a link still can. */
const onlyLinks = ['country_not_supported', 'number_not_mobile'];

/**
 * What would be sent; nothing is. Throws the refusal, and what it says of texts where a link is left:
 * then the message is empty.
 */
export async function messageFor(asked: Asked): Promise<Message & { refusal?: unknown }> {
  try {
    const answer = await call<{ data: Message }>(`${path}/text`, { body: asked, bearer: bearer() });
    return answer.data;
  } catch (refusal) {
    const left = onlyLinks.includes(errorCode(refusal) ?? '') && asked.duration !== 'until_stopped';
    if (!left) throw refusal;
    return { text: '', language: '', sends_at: null, refusal };
  }
}

/** Sends the message. Throws the refusal. */
export async function sendInvitation(asked: Asked): Promise<void> {
  await call(path, { body: { ...asked, via: 'text' }, bearer: bearer() });
  await loadInvitations();
}

/** Makes a link that the requester sends themselves. Throws the refusal. */
export async function linkFor(asked: Asked): Promise<string> {
  const body = { ...asked, via: 'link' };
  const { link } = await call<{ link: string }>(path, { body, bearer: bearer() });
  return link;
}

/** Ends an invitation, and what is shared by it. Throws the refusal. */
export async function endInvitation(id: string): Promise<void> {
  await call(`${path}/${id}`, { method: 'DELETE', bearer: bearer() });
  await loadInvitations();
}

/** Takes back what was bought, because nobody agreed. Throws the refusal. */
export async function withdrawInvitation(): Promise<void> {
  await call(guarantee, { body: {}, bearer: bearer() });
  await loadInvitations();
}

/** Ms between two looks at invitations that are open. */
const often = 15_000;

/** Keeps the invitations fresh while somebody looks. @returns what ends it */
export function watchInvitations(): () => void {
  const look = () => {
    const { stage, list } = $invitations.get();
    const seen = document.visibilityState === 'visible';
    if (seen && stage === 'open' && list.some(isOpen)) loadInvitations();
  };
  const timer = setInterval(look, often);
  document.addEventListener('visibilitychange', look);
  // What was bought may be given back elsewhere on the page, which ends what is still asked.
  const unlisten = listenKeys($checkout, ['isSuccess'], () => loadInvitations());
  return () => {
    unlisten();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
