import { atom } from 'nanostores';

/** `open`: the form has the page's main button. `invited`: nothing to do. */
export type InvitationProgress = 'unknown' | 'open' | 'invited' | 'accepted';

export const $invitationProgress = atom<InvitationProgress>('unknown');
