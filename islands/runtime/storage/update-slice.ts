import type { MapSlice } from '../../stores/map.ts';
import type { Plans } from '../../stores/plans.ts';
import type { Signup } from '../../stores/signup.ts';
import { readSlice, writeSlice } from './state-storage.ts';

interface Slices {
  map: MapSlice;
  plans: Plans;
  signup: Signup;
}

type Fields = Record<string, unknown>;

const stores = new Map<string, (fields: Fields) => void>();

/** From now on, a store receives the changes of its slice. */
export function connectStore(slice: string, setFields: (fields: Fields) => void): void {
  stores.set(slice, setFields);
}

export const sliceOf = <Name extends keyof Slices>(name: Name): Partial<Slices[Name]> =>
  readSlice(name) as Partial<Slices[Name]>;

/** Changes fields of a slice: in its store, or in the storage that the store will read. */
export function updateSlice<Name extends keyof Slices>(
  name: Name,
  fields: Partial<Slices[Name]>,
): void {
  const setFields = stores.get(name);
  if (setFields) setFields(fields);
  else writeSlice(name, { ...readSlice(name), ...fields });
}
