import { map } from 'nanostores';
import type { AreaDrawing } from '../maps/area-drawing.ts';
import { drawingAround } from '../maps/load-drawing.ts';
import { call, errorCode, messageOf } from '../runtime/api.ts';
import { currentPosition, type NoPosition } from './geolocation.ts';

/** Where somebody was, as rounded as it is shared. Degrees, metres, ms since 1970. */
interface SharedPlace {
  latitude: number;
  longitude: number;
  accuracy: number;
  at: number;
}

/** An invitation as who got it sees it. Times in ms since 1970. */
interface Question {
  state: 'asked' | 'shared' | 'over';
  /** Who asks, as they typed it; empty when it is over. */
  name: string;
  duration: 'hour' | 'day' | 'until_stopped';
  answer_by: number;
  /** When sharing ends by itself. */
  until: number | null;
  shared: SharedPlace | null;
  /** Who can never ask again. */
  blocked: 'asker' | 'everyone' | null;
  /** Whether the link goes on showing the question, not the answer. */
  hidden: boolean;
}

/** What who was invited is shown. */
export interface InviteeSlice {
  stage: 'waiting' | 'missing' | 'unknown' | 'own' | 'failed' | 'open';
  question: Question | null;
  /** The map around what is shared. */
  drawing: AreaDrawing | null;
  /** What is under way: `locating` while the browser asks its user. */
  doing: '' | 'locating' | 'sending';
  trouble: '' | NoPosition | 'failed';
  /** Whether a code was texted that proves the number. */
  texted: boolean;
  /** Why the number or the code was not taken, in the visitor's language. */
  refused: string;
}

const nothing: InviteeSlice = {
  stage: 'waiting',
  question: null,
  drawing: null,
  doing: '',
  trouble: '',
  texted: false,
  refused: '',
};

/** What who was invited sees. Not persisted. */
export const $invitee = map<InviteeSlice>(nothing);

let code = '';

const post = async (path: string, more: object = {}) =>
  (await call<{ data: Question }>(`/invitations/${path}`, { body: { code, ...more } })).data;

/** Shows a question with its map, both at once, so that nothing moves. */
async function show(question: Question): Promise<void> {
  const { shared } = question;
  const around = shared && { lat: shared.latitude, lng: shared.longitude };
  const drawing = around && (await drawingAround(around));
  $invitee.set({ ...nothing, stage: 'open', question, drawing });
}

/** What a refusal shows. */
const stages: Record<string, 'unknown' | 'own'> = {
  invitation_unknown: 'unknown',
  invitation_own: 'own',
};

/** Opens the question that a link is about; only this counts as opened, no preview of the link does. */
export async function openInvitation(found = code): Promise<void> {
  code = found;
  $invitee.set({ ...nothing, stage: code ? 'waiting' : 'missing' });
  if (!code) return;
  try {
    await show(await post('open'));
  } catch (error) {
    const said = errorCode(error) ?? '';
    $invitee.setKey('stage', stages[said] ?? 'failed');
  }
}

/** Shows how it stands after an answer that came too late: a link that hides a no says "asked". */
async function openLate(): Promise<void> {
  await openInvitation();
  const { question } = $invitee.get();
  if (question?.state !== 'asked') return;
  $invitee.setKey('question', { ...question, state: 'over', name: '' });
}

/** Does one thing at a time; what came too late shows how it stands now. */
async function answer(work: () => Promise<Question>): Promise<void> {
  if ($invitee.get().doing) return;
  $invitee.set({ ...$invitee.get(), doing: 'sending', trouble: '' });
  try {
    await show(await work());
  } catch (error) {
    if (errorCode(error) === 'invitation_over') return openLate();
    const trouble = error === 'denied' || error === 'unavailable' ? error : 'failed';
    $invitee.set({ ...$invitee.get(), doing: '', trouble });
  }
}

/** Says yes: asks the browser once where it is, and shares that. Without a place nothing is sent. */
export const accept = (): Promise<void> =>
  answer(async () => {
    $invitee.setKey('doing', 'locating');
    const position = await currentPosition();
    $invitee.setKey('doing', 'sending');
    return post('accept', { position });
  });

/** Says no. */
export const decline = (): Promise<void> => answer(() => post('decline'));

/** Ends sharing; the place is deleted at once. */
export const stop = (): Promise<void> => answer(() => post('stop'));

/** Ends it for good: who asked can never ask again. @param report whether we look into it, too */
export const block = (report: boolean): Promise<void> => answer(() => post('block', { report }));

/** Sends what proves the number; a refusal is said beside the field, whose text stays. */
async function prove(work: () => Promise<void>): Promise<void> {
  if ($invitee.get().doing) return;
  $invitee.set({ ...$invitee.get(), doing: 'sending', trouble: '', refused: '' });
  try {
    await work();
  } catch (error) {
    const refused = messageOf(error) ?? '';
    const trouble = refused ? '' : 'failed';
    $invitee.set({ ...$invitee.get(), doing: '', trouble, refused });
  }
}

/** Has a code texted to the number, which must be the one that was asked. */
export const sendOptOutCode = (phone: string): Promise<void> =>
  prove(async () => {
    await post('stop-code', { phone });
    $invitee.set({ ...$invitee.get(), doing: '', texted: true });
  });

/** Lets nobody ask any more, as the code proves whose number it is. */
export const stopEveryone = (digits: string): Promise<void> =>
  prove(async () => show(await post('stop-everyone', { digits })));

/** Goes back to the number, for another code. */
export const typeNumberAgain = (): void =>
  $invitee.set({ ...$invitee.get(), texted: false, refused: '', trouble: '' });
