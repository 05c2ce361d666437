import { type ComponentType, createElement, type ReactElement } from 'react';

/** When an island wakes; never before the largest picture is painted, unless it is touched. */
export type When = 'load' | 'idle' | 'visible' | 'interaction';

/** `Props` as far as JSON carries them: a function, symbol or bigint can not be given. */
export type Json<Props> = Props extends string | number | boolean | null | undefined
  ? Props
  : Props extends ((...args: never[]) => unknown) | symbol | bigint
    ? never
    : Props extends object
      ? { [Key in keyof Props]: Json<Props[Key]> }
      : never;

interface Known {
  /** The island's file, without `.tsx`. */
  name: string;
  /** Where the browser finds its chunk. */
  src: string;
}

const islands = new Map<unknown, Known>();

/** Makes a component known as island. */
export function nameIsland(component: unknown, known: Known): void {
  islands.set(component, known);
}

/**
 * Marks a component as island: its HTML as the server sees it, with its chunk, moment and props
 * for the loader. Props travel as JSON; one that JSON can not carry is a compile error.
 */
export function Island<Props extends object>({
  of,
  when,
  ...props
}: { of: ComponentType<Props>; when: When } & Json<NoInfer<Props>>): ReactElement {
  const known = islands.get(of);
  if (!known)
    throw new TypeError(
      `${of.name} is no island: see islands/runtime/hydration/island-registry.ts`,
    );
  const given = props as unknown as Props;
  return createElement(
    'x-island',
    { ...known, when, props: JSON.stringify(given) },
    createElement(of, given),
  );
}
