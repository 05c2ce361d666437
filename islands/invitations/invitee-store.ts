import { map } from 'nanostores';
import { type AreaDrawing, drawingAround } from '../maps/area-drawing.ts';
import { call, errorCode } from '../runtime/api.ts';
import { refusalMessage } from '../runtime/refusal-message.ts';
import { currentPosition, type NoPosition } from './geolocation.ts';

/** A shared location, rounded. Degrees, metres, ms since 1970. */
interface SharedPosition {
  latitude: number;
  longitude: number;
  accuracy: number;
  at: number;
}

/** An invitation as the invitee sees it. Times in ms since 1970. */
interface InvitationView {
  state: 'pending' | 'shared' | 'over';
  /** The requester's name as typed; empty when the invitation is over. */
  name: string;
  duration: 'hour' | 'day' | 'until_stopped';
  answer_by: number;
  until: number | null;
  /** Whether the requester can see the location. */
  visible: boolean;
  shared: SharedPosition | null;
  blocked: 'requester' | 'everyone' | null;
  /** Whether the link still shows the invitation although it was refused. */
  hidden: boolean;
}

export interface InviteeSlice {
  stage: 'waiting' | 'missing' | 'unknown' | 'own' | 'failed' | 'open';
  invitation: InvitationView | null;
  drawing: AreaDrawing | null;
  progress: '' | 'locating' | 'sending';
  failure: '' | NoPosition | 'failed';
  codeSent: boolean;
  /** Why the number or code was refused, in the visitor's language. */
  fieldError: string;
}

const nothing: InviteeSlice = {
  stage: 'waiting',
  invitation: null,
  drawing: null,
  progress: '',
  failure: '',
  codeSent: false,
  fieldError: '',
};

export const $invitee = map<InviteeSlice>(nothing);

let code = '';
/** Names the request for the opt-out code that the invitee types. */
let request: string | undefined;

const post = async <T = InvitationView>(path: string, more: object = {}) =>
  (await call<{ data: T }>(`/invitations/${path}`, { body: { code, ...more } })).data;

/** Sets the invitation and its map together, so nothing moves. */
async function show(invitation: InvitationView): Promise<void> {
  const { shared } = invitation;
  const around = shared && { lat: shared.latitude, lng: shared.longitude };
  const drawing = around && (await drawingAround(around));
  $invitee.set({ ...nothing, stage: 'open', invitation, drawing });
}

const stages: Record<string, 'unknown' | 'own'> = {
  invitation_unknown: 'unknown',
  own_invitation: 'own',
};

export async function openInvitation(found = code): Promise<void> {
  code = found;
  $invitee.set({ ...nothing, stage: code ? 'waiting' : 'missing' });
  if (!code) return;
  try {
    await show(await post('open'));
  } catch (error) {
    const reason = errorCode(error) ?? '';
    $invitee.setKey('stage', stages[reason] ?? 'failed');
  }
}

async function showEnded(): Promise<void> {
  await openInvitation();
  const { invitation } = $invitee.get();
  if (invitation?.state !== 'pending') return;
  $invitee.setKey('invitation', { ...invitation, state: 'over', name: '' });
}

async function answer(work: () => Promise<InvitationView>): Promise<void> {
  if ($invitee.get().progress) return;
  $invitee.set({ ...$invitee.get(), progress: 'sending', failure: '' });
  try {
    await show(await work());
  } catch (error) {
    if (errorCode(error) === 'invitation_ended') return showEnded();
    const failure = error === 'denied' || error === 'unavailable' ? error : 'failed';
    $invitee.set({ ...$invitee.get(), progress: '', failure });
  }
}

export const acceptInvitation = (): Promise<void> =>
  answer(async () => {
    $invitee.setKey('progress', 'locating');
    const position = await currentPosition();
    $invitee.setKey('progress', 'sending');
    return post('accept', { position });
  });

export const declineInvitation = (): Promise<void> => answer(() => post('decline'));

export const stop = (): Promise<void> => answer(() => post('stop'));

export const blockRequester = (report: boolean): Promise<void> =>
  answer(() => post('block', { report }));

async function submitProof(work: () => Promise<void>): Promise<void> {
  if ($invitee.get().progress) return;
  $invitee.set({ ...$invitee.get(), progress: 'sending', failure: '', fieldError: '' });
  try {
    await work();
  } catch (error) {
    const fieldError = refusalMessage(error) ?? '';
    const failure = fieldError ? '' : 'failed';
    $invitee.set({ ...$invitee.get(), progress: '', failure, fieldError });
  }
}

/** Sends a code to the number, which must be the invited one. */
export const sendOptOutCode = (phone: string): Promise<void> =>
  submitProof(async () => {
    ({ request } = await post<{ request?: string }>('opt-out-code', { phone }));
    $invitee.set({ ...$invitee.get(), progress: '', codeSent: true });
  });

export const optOutOfInvitations = (digits: string): Promise<void> =>
  submitProof(async () => show(await post('opt-out', { digits, request })));

export const returnToNumber = (): void =>
  $invitee.set({ ...$invitee.get(), codeSent: false, fieldError: '', failure: '' });
