import { readSlice, writeSlice } from './state-storage.ts';

/** The fields of each slice; every store adds its own. */
export interface Slices {
  /** The analytics session and the time of its last event, ms since 1970. It has no store. */
  visit: { id: string; last: number };
}

type Fields = Record<string, unknown>;

const stores = new Map<string, (fields: Fields) => void>();

/** From now on, a store receives the changes of its slice. */
export function connectStore(slice: string, setFields: (fields: Fields) => void): void {
  stores.set(slice, setFields);
}

export const sliceOf = <Name extends keyof Slices>(name: Name): Partial<Slices[Name]> =>
  readSlice(name) as Partial<Slices[Name]>;

export function mergeSlice(name: string, fields: Fields): void {
  writeSlice(name, { ...readSlice(name), ...fields });
}

/** Sets fields of a slice: in its store, and in storage, also if another tab has changed only the latter. */
export function updateSlice<Name extends keyof Slices>(
  name: Name,
  fields: Partial<Slices[Name]>,
): void {
  stores.get(name)?.(fields);
  mergeSlice(name, fields);
}
