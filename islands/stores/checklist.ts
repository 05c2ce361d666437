import { atom } from 'nanostores';

/** `form`: the first step. `open`: a code or a link has the page's main button. `over`: nobody can answer any more. */
export type InvitationProgress = 'unknown' | 'form' | 'open' | 'invited' | 'accepted' | 'over';

export const $invitationProgress = atom<InvitationProgress>('unknown');
