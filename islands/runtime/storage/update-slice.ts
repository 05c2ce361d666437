import type { App } from '../../stores/app.ts';
import type { Checkout } from '../../stores/checkout.ts';
import type { MapSlice } from '../../stores/map.ts';
import type { Plans } from '../../stores/plans.ts';
import type { Signup } from '../../stores/signup.ts';
import { readSlice, writeSlice } from './state-storage.ts';

interface Slices {
  app: App;
  checkout: Checkout;
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
