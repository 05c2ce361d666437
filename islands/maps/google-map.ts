import type { StreetDrawing } from './street-map.ts';

/** Google's script may take as long as a slow connection needs. */
const timeoutMs = 20_000;

/** Google's map in a sandboxed frame, which learns the position from a message. @throws when Google does not answer */
export async function drawGoogleMap(
  container: HTMLElement,
  { point, accuracy, label, language }: StreetDrawing,
): Promise<() => void> {
  const frame = document.createElement('iframe');
  frame.title = label;
  frame.src = `/google-map?lng=${language}`;
  frame.setAttribute('sandbox', 'allow-scripts allow-popups');
  // Google checks which site uses the key.
  frame.referrerPolicy = 'origin';
  Object.assign(frame.style, { border: '0', inlineSize: '100%', blockSize: '100%' });
  const end = new AbortController();
  const drawn = new Promise<void>((done, fail) => {
    setTimeout(() => fail(new Error('timeout')), timeoutMs);
    const listen = ({ source, data }: MessageEvent) => {
      if (source !== frame.contentWindow) return;
      // The frame's origin is opaque, so it cannot be named as the target.
      if (data?.googleMap === 'ready')
        frame.contentWindow?.postMessage({ ...point, accuracy, label }, '*');
      if (data?.googleMap === 'drawn') done();
      if (data?.googleMap === 'failed') fail(new Error('Google refused'));
    };
    addEventListener('message', listen, { signal: end.signal });
  });
  container.append(frame);
  try {
    await drawn;
    return () => frame.remove();
  } catch (error) {
    frame.remove();
    throw error;
  } finally {
    end.abort();
  }
}
