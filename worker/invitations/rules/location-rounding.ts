/** Where somebody was. Degrees, metres, ms since 1970. */
export interface Position {
  latitude: number;
  longitude: number;
  accuracy: number;
  at: number;
}

const minute = 60_000;
/** Decimals of a degree that are kept: about 100 m. */
const decimals = 1000;
/** Metres that rounding to those moves a place at most, and the steps that accuracy is told in. */
const moved = 80;
const step = 100;

const round = (degrees: number) => Math.round(degrees * decimals) / decimals;

/** A position as the requester may see it; nothing more exact is ever kept. */
export function roundPosition({ latitude, longitude, accuracy, at }: Position): Position {
  return {
    latitude: round(latitude),
    longitude: round(longitude),
    accuracy: Math.ceil((accuracy + moved) / step) * step,
    at: Math.floor(at / minute) * minute,
  };
}
