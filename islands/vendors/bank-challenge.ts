export interface ChallengeWords {
  title: string;
  close: string;
  closed: string;
  failed: string;
  unavailable: string;
}

export type ChallengeCode = 'challenge_closed' | 'challenge_unavailable';

export class ChallengeError extends Error {
  readonly code: ChallengeCode;
  constructor(code: ChallengeCode) {
    super(code);
    this.code = code;
  }
}

/** Timeout without a visible bank page and poll interval, ms. The buyer sees an error within 30 s. */
const timeoutMs = 25_000;
const pollIntervalMs = 1000;

function hasPage({ contentWindow }: HTMLIFrameElement): boolean {
  try {
    return contentWindow?.location.href !== 'about:blank';
  } catch {
    return true; // The page of another origin cannot be read.
  }
}

/** Whether a bank page is open: the smallest challenge is 250 × 400 px (EMV 3-D Secure). */
const isOpen = () =>
  [...document.querySelectorAll('iframe')].some((frame) => {
    const { width, height } = frame.getBoundingClientRect();
    return width >= 200 && height >= 200 && hasPage(frame);
  });

/**
 * Waits for a challenge: without limit while the bank's page is open, else until the timeout. It counts polls instead
 * of time, because phones suspend the page while the banking app is open.
 * @throws ChallengeError on timeout
 */
export function awaitChallenge<Answer>(work: Promise<Answer>, open = isOpen): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let quietMs = 0;
    const timer = setInterval(() => {
      quietMs = open() ? 0 : quietMs + pollIntervalMs;
      if (quietMs >= timeoutMs) reject(new ChallengeError('challenge_unavailable'));
    }, pollIntervalMs);
    work.then(resolve, reject);
    const stop = () => clearInterval(timer);
    work.then(stop, stop);
  });
}

export function showChallenge(
  frame: HTMLElement,
  { title, close }: ChallengeWords,
  onClose: () => void,
): () => void {
  const dialog = document.createElement('dialog');
  const heading = document.createElement('h2');
  const button = document.createElement('button');
  dialog.dataset.challenge = '';
  dialog.setAttribute('aria-label', title);
  dialog.style.cssText =
    'padding:0;border:0;border-radius:12px;inline-size:min(100vw - 16px,424px);max-inline-size:none;max-block-size:calc(100dvh - 16px);overflow:auto;background:var(--surface);color:var(--ink);color-scheme:light';
  const head = document.createElement('div');
  head.style.cssText =
    'display:flex;align-items:center;justify-content:space-between;gap:16px;padding:8px 16px';
  heading.textContent = title;
  heading.style.cssText = 'margin:0;font-size:17px';
  button.type = 'button';
  button.textContent = close;
  button.style.cssText =
    'min-block-size:44px;padding:0;border:0;background:none;color:var(--brand);font:inherit;font-weight:600;cursor:pointer';
  button.addEventListener('click', onClose);
  dialog.addEventListener('cancel', onClose);
  const page = frame.querySelector('iframe');
  page?.setAttribute('title', title);
  if (page) page.style.cssText = 'display:block;inline-size:100%;min-block-size:400px;border:0';
  head.append(heading, button);
  dialog.append(head, frame);
  document.body.append(dialog);
  if (dialog.showModal as unknown) dialog.showModal();
  else dialog.setAttribute('open', '');
  return () => dialog.remove();
}
