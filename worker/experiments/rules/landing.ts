import { type Flow, isScreenId, type ScreenId } from './flows.ts';

/**
 * Names a visitor's first screen: the flow's first screen by its id, another one, which was opened by its address, as
 * `direct:signup`. Only visitors of the former saw what the flow chose for them.
 */
export const landingOf = (flow: Flow, screen: ScreenId): string =>
  screen === flow[0] ? screen : `direct:${screen}`;

const directPattern = /^direct:/;

export const isDirect = (landing: string): boolean => directPattern.test(landing);

export const screenOf = (landing: string): string => landing.replace(directPattern, '');

/** What a browser stored or sent; empty if it names no screen. */
export const readLanding = (text = ''): string => (isScreenId(screenOf(text)) ? text : '');
