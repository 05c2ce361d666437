type Id = typeof google.accounts.id;
type Answer = google.accounts.id.CredentialResponse;

type ImplementedMethods = Pick<
  Id,
  'initialize' | 'renderButton' | 'prompt' | 'cancel' | 'disableAutoSelect'
>;

const script = document.currentScript as HTMLScriptElement;
const base = new URL('.', script.src).href;
const frames = new Set<Window | null>();
let options: google.accounts.id.IdConfiguration | undefined;

/** The official button is 44 px high with its margins, and 200 to 400 px wide. */
function boxOf(width = 240): { width: string; height: string } {
  return { width: String(Math.max(200, Math.min(400, width))), height: '40' };
}

const missing = () => {
  throw new Error('the Google fake was not initialized');
};

const id: ImplementedMethods = {
  initialize(config) {
    if (!config.client_id.endsWith('.apps.googleusercontent.com')) {
      throw new Error('the Google fake does not know this client id');
    }
    options = config;
  },
  renderButton(parent, { theme = 'outline', text = 'signin_with', width, locale }) {
    const { client_id } = options ?? missing();
    const query = { theme, text, locale: locale ?? '', origin: location.origin, client_id };
    const frame = document.createElement('iframe');
    Object.assign(frame, boxOf(width));
    frame.title = 'Sign in with Google Button';
    frame.src = `${base}button?${new URLSearchParams(query)}`;
    const box = document.createElement('div');
    box.className = 'g_id_signin';
    box.append(frame);
    parent.replaceChildren(box);
    frames.add(frame.contentWindow);
  },
  // As if no Google account were signed in in this browser.
  prompt: () => void (options ?? missing()),
  cancel: () => undefined,
  disableAutoSelect: () => undefined,
};

addEventListener('message', ({ source, origin, data }: MessageEvent<Answer>) => {
  if (origin === new URL(base).origin && frames.has(source as Window)) options?.callback?.(data);
});

const style = document.createElement('link');
style.rel = 'stylesheet';
style.href = `${base}style`;
document.head.append(style);

Object.assign(window, { google: { accounts: { id } } });

export {};
