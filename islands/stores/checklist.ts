import { atom } from 'nanostores';

/** `form`: the first step. `scan`: a QR code of the message is on screen. `over`: nobody can answer any more. */
export type InvitationProgress = 'unknown' | 'form' | 'scan' | 'invited' | 'accepted' | 'over';

export const $invitationProgress = atom<InvitationProgress>('unknown');
