/** Why the browser told no position: its user said no, or it could not find one. */
export type NoPosition = 'denied' | 'unavailable';

/** Ms to wait for a position; the question to the user does not count. */
const patience = 30_000;
/** As exact as anything leaves the phone: three decimals, about 100 m. */
const round = (degrees: number) => Math.round(degrees * 1000) / 1000;

/**
 * Asks the browser once where it is. Degrees and metres, rounded before they go anywhere.
 *
 * @throws NoPosition
 */
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
      { enableHighAccuracy: true, timeout: patience, maximumAge: 0 },
    );
  });
}
