import type { ChallengeSetup, FromChallenge } from './messages.ts';
import type { Origins } from './script-origin.ts';

/** Shows the bank's page above ours; resolves when the customer has answered. */
export function showChallenge(
  { js, api }: Origins,
  setup: Pick<ChallengeSetup, 'intent' | 'secret' | 'key'>,
): Promise<void> {
  const frame = document.createElement('iframe');
  const before = document.activeElement;
  const whole: ChallengeSetup = { ...setup, api, page: location.origin };
  frame.name = '__stripeChallengeFrame';
  frame.title = '3D Secure authentication frame';
  frame.style.cssText =
    'position:fixed;inset:0;width:100%;height:100%;border:0;color-scheme:light only;z-index:2147483647;background:rgb(0 0 0/.4)';
  frame.src = `${js}/v3/challenge.html#${encodeURIComponent(JSON.stringify(whole))}`;
  return new Promise((done) => {
    const hear = ({ source, data }: MessageEvent<FromChallenge>) => {
      if (source !== frame.contentWindow || data.kind !== 'challenged') return;
      removeEventListener('message', hear);
      frame.remove();
      if (before instanceof HTMLElement) before.focus();
      done();
    };
    addEventListener('message', hear);
    document.body.append(frame);
  });
}
