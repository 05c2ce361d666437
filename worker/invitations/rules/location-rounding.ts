/** In degrees, metres and ms since 1970. */
export interface Position {
  latitude: number;
  longitude: number;
  accuracy: number;
  at: number;
}

const minute = 60_000;
/** Three decimals of a degree: about 100 m. */
const stepsPerDegree = 1000;
/** Rounding moves a position by at most so many metres. */
const roundingErrorMetres = 80;
const accuracyStepMetres = 100;

const round = (degrees: number) => Math.round(degrees * stepsPerDegree) / stepsPerDegree;

/** The position that the requester may see. Nothing more exact is ever stored. */
export function roundPosition({ latitude, longitude, accuracy, at }: Position): Position {
  return {
    latitude: round(latitude),
    longitude: round(longitude),
    accuracy: Math.ceil((accuracy + roundingErrorMetres) / accuracyStepMetres) * accuracyStepMetres,
    at: Math.floor(at / minute) * minute,
  };
}
