import { minuteMs } from '../../platform/durations.ts';
import type { Invitation } from './invitation.ts';

/** In degrees, metres and ms since 1970. */
export interface Position {
  latitude: number;
  longitude: number;
  accuracy: number;
  at: number;
}

/** Only an accepted invitation shows the location: to its requester, and to the invitee. */
export const sharedLocation = (
  { state }: Pick<Invitation, 'state'>,
  position: Position | null,
): Position | null => (state === 'accepted' ? position : null);

/** Three decimals of a degree: about 100 m. */
const stepsPerDegree = 1000;

/** The largest distance by which rounding moves a position. */
const roundingErrorMetres = 80;

const accuracyStepMetres = 100;

const round = (degrees: number) => Math.round(degrees * stepsPerDegree) / stepsPerDegree;

/** Applied before a position is stored, so nothing more precise is ever stored. */
export function roundPosition({ latitude, longitude, accuracy, at }: Position): Position {
  return {
    latitude: round(latitude),
    longitude: round(longitude),
    accuracy: Math.ceil((accuracy + roundingErrorMetres) / accuracyStepMetres) * accuracyStepMetres,
    at: Math.floor(at / minuteMs) * minuteMs,
  };
}
