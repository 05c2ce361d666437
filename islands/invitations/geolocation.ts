/** `denied`: the person refused; `unavailable`: no position was found. */
export type NoPosition = 'denied' | 'unavailable';

const timeoutMs = 30_000;
/** Three decimals, about 100 m, so that no more precise position leaves the phone. */
const round = (degrees: number) => Math.round(degrees * 1000) / 1000;

/** Reads the position once. Degrees and metres, already rounded. @throws NoPosition */
export function currentPosition(): Promise<{
  latitude: number;
  longitude: number;
  accuracy: number;
}> {
  return new Promise((resolve, reject) => {
    const refuse = ({ code }: { code?: number }) =>
      reject((code === 1 ? 'denied' : 'unavailable') satisfies NoPosition);
    if (!navigator.geolocation) return refuse({});
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({
          latitude: round(coords.latitude),
          longitude: round(coords.longitude),
          accuracy: Math.ceil(coords.accuracy),
        }),
      refuse,
      { enableHighAccuracy: true, timeout: timeoutMs, maximumAge: 0 },
    );
  });
}
