import { loadScript, scriptState } from './load-script.ts';

/**
 * How far Google's button is: its script not there yet, there and its button being drawn, button to
 * be tapped; or one of three reasons why there is none.
 */
export type GoogleState =
  | 'waiting'
  | 'ready'
  | 'preloaded'
  | 'unconfigured'
  | 'unavailable'
  | 'uninitialized';

interface Options {
  clientId: string;
  /** Prefix of the vendors' scripts where stand-ins are served, else empty. */
  vendors: string;
  /** BCP 47. */
  language: string;
  /** Where Google draws its button; never wider than that. */
  box: HTMLElement;
  onState: (state: GoogleState) => void;
  /** Hears what Google gave; undefined when it was nothing. */
  onCredential: (credential: string | undefined) => void;
}

/** Ms between two looks for the script, and until a drawn button counts as there. */
const poll = 100;
const preload = 1000;

/** Pixels; the narrowest is Google's own rule. */
const widest = 343;
const narrowest = 200;

const api = () => (window as { google?: typeof google }).google?.accounts?.id;

/** The visitor may come back to the screen in the same document: who listens, changes. */
let listen: Options['onCredential'] = () => {};
const initialized = new WeakSet<object>();

function draw(id: typeof google.accounts.id, { clientId, language, box }: Options): void {
  if (!initialized.has(id)) {
    id.initialize({
      client_id: clientId,
      callback: (answer) => listen(answer?.credential),
      context: 'signup',
      ux_mode: 'popup',
    });
    initialized.add(id);
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  id.renderButton(box, {
    type: 'standard',
    theme: dark ? 'filled_black' : 'outline',
    size: 'large',
    shape: 'rectangular',
    text: 'continue_with',
    width: Math.max(narrowest, Math.min(widest, box.clientWidth)),
    locale: language,
  });
}

/**
 * Loads Google's script, looks for it every 100 ms, and has it draw its button, which counts as
 * there a second later.
 *
 * @returns `again` starts anew after a failure; `stop` ends all timers
 */
export function startGoogle(options: Options): { again: () => void; stop: () => void } {
  const { clientId, vendors, onState } = options;
  const source = `${vendors || 'https:/'}/accounts.google.com/gsi/client`;
  let timer: ReturnType<typeof setTimeout> | undefined;
  listen = options.onCredential;

  const look = () => {
    const id = api();
    const state = scriptState(source);
    if (!id && state === 'loading') {
      timer = setTimeout(look, poll);
      return;
    }
    if (!id) return onState('unavailable');
    try {
      draw(id, options);
    } catch {
      return onState('uninitialized');
    }
    onState('ready');
    timer = setTimeout(onState, preload, 'preloaded');
  };
  const again = () => {
    clearTimeout(timer);
    if (!clientId) return onState('unconfigured');
    onState('waiting');
    loadScript(source).catch(() => {});
    timer = setTimeout(look, poll);
  };
  again();
  return { again, stop: () => clearTimeout(timer) };
}

/** Asks Google for an account where its own button is not there to be tapped. @throws as it does */
export function promptGoogle(): void {
  const id = api();
  if (!id) throw new Error('Google is not there');
  id.prompt();
}

/** Who a credential says it is of; the server alone checks it. @throws when it is none */
export function profileOf(credential: string): { email: string; name: string } {
  const [, part = ''] = credential.split('.');
  const bytes = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
  const text = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  const { email = '', name } = JSON.parse(text) as { email?: string; name?: string };
  return { email, name: name || email };
}
