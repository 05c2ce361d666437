import type { MapStore } from 'nanostores';
import { readSlice } from './state-storage.ts';
import { connectStore, mergeSlice } from './update-slice.ts';

/**
 * Another tab may have written the slice meanwhile, so only changed fields are written.
 * @param own fields of this tab, which win over the stored ones
 */
export function persist<Fields extends object>(
  slice: string,
  $store: MapStore<Fields>,
  own: (stored: Fields) => Partial<Fields> = () => ({}),
): void {
  connectStore(slice, (fields) => $store.set({ ...$store.get(), ...fields }));
  if (typeof document === 'undefined') return;
  const { at: _at, ...stored } = readSlice(slice);
  const all = { ...$store.get(), ...stored };
  $store.set({ ...all, ...own(all) });
  $store.listen((fields, before) => {
    const isChanged = ([name, value]: [string, unknown]) =>
      value !== before?.[name as keyof Fields];
    mergeSlice(slice, Object.fromEntries(Object.entries(fields).filter(isChanged)));
  });
}
