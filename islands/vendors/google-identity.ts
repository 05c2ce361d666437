import { loadScript, scriptState } from './load-script.ts';

export type GoogleState =
  | 'waiting'
  | 'ready'
  | 'preloaded'
  | 'unconfigured'
  | 'unavailable'
  | 'uninitialized';

interface Options {
  clientId: string;
  vendors: string;
  language: string;
  box: HTMLElement;
  onState: (state: GoogleState) => void;
  /** Receives Google's credential; undefined when Google returned none. */
  onCredential: (credential: string | undefined) => void;
}

/** Interval between checks for the script, ms; and delay until a drawn button counts as ready. */
const pollIntervalMs = 100;
const preloadMs = 1000;

const maxWidth = 400;
const minWidth = 200;

/** Delay after a change of the box before Google's button is drawn again, ms. */
const settledMs = 200;

const api = () => (window as { google?: typeof google }).google?.accounts?.id;

let onCredential: Options['onCredential'] = () => {};
const initialized = new WeakSet<object>();

const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

function draw(id: typeof google.accounts.id, { clientId, language, box }: Options): void {
  if (!initialized.has(id)) {
    id.initialize({
      client_id: clientId,
      callback: (response) => onCredential(response?.credential),
      context: 'signup',
      ux_mode: 'popup',
    });
    initialized.add(id);
  }
  id.renderButton(box, {
    type: 'standard',
    theme: isDark() ? 'filled_black' : 'outline',
    size: 'large',
    shape: 'rectangular',
    text: 'continue_with',
    width: Math.max(minWidth, Math.min(maxWidth, box.clientWidth)),
    locale: language,
  });
}

interface Drawing {
  again: () => void;
  /** Redraws after a change of the box or the colours, because Google's button adapts to neither. */
  redraw: () => void;
  stop: () => void;
}

export function startGoogle(options: Options): Drawing {
  const { clientId, vendors, onState } = options;
  const source = `${vendors || 'https:/'}/accounts.google.com/gsi/client`;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let drawnAs = '';
  const appearance = () => `${options.box.clientWidth} ${isDark()}`;
  onCredential = options.onCredential;

  const check = () => {
    const id = api();
    const state = scriptState(source);
    if (!id && state === 'loading') {
      timer = setTimeout(check, pollIntervalMs);
      return;
    }
    if (!id) return onState('unavailable');
    try {
      draw(id, options);
      drawnAs = appearance();
    } catch {
      return onState('uninitialized');
    }
    onState('ready');
    timer = setTimeout(onState, preloadMs, 'preloaded');
  };
  const again = () => {
    clearTimeout(timer);
    if (!clientId) return onState('unconfigured');
    onState('waiting');
    loadScript(source).catch(() => {});
    timer = setTimeout(check, pollIntervalMs);
  };
  const redraw = () => {
    if (!drawnAs || drawnAs === appearance()) return;
    drawnAs = '';
    clearTimeout(timer);
    timer = setTimeout(check, settledMs);
  };
  again();
  return { again, redraw, stop: () => clearTimeout(timer) };
}

/** Opens Google's prompt when its button is unavailable. @throws as Google's API does */
export function promptGoogle(): void {
  const id = api();
  if (!id) throw new Error('Google is not there');
  id.prompt();
}

/** Name and e-mail in a credential, unverified; the server verifies it. @throws when it is not a JWT */
export function googleProfile(credential: string): { email: string; name: string } {
  const [, part = ''] = credential.split('.');
  const bytes = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
  const text = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  const { email = '', name }: { email?: string; name?: string } = JSON.parse(text);
  return { email, name: name || email };
}
