/**
 * Google's maps script: the few classes that the funnel uses, and its callback.
 * developers.google.com/maps/documentation/javascript/reference/map and /reference/polygon#Circle
 */
interface LatLng {
  lat: number;
  lng: number;
}

const { searchParams } = new URL((document.currentScript as HTMLScriptElement).src);
const callbacks = window as unknown as Record<string, (() => void) | undefined>;
const loaded: Record<string, unknown> = {};

class FakeMap {
  readonly box: HTMLElement;

  constructor(box: HTMLElement, { center }: { center: LatLng }) {
    this.box = box;
    if (typeof center.lat !== 'number') throw new TypeError('InvalidValueError: setCenter');
    box.textContent = `Google’s map, ${searchParams.get('language')}, around ${center.lat.toFixed(2)} ${center.lng.toFixed(2)}`;
  }
}

class Circle {
  constructor({ map, radius }: { map: FakeMap; radius: number }) {
    map.box.dataset.circles = `${map.box.dataset.circles ?? ''} ${radius}`.trim();
  }
}

const events = {
  addListenerOnce: (_map: FakeMap, name: string, listener: () => void) => {
    if (name === 'tilesloaded') setTimeout(listener);
  },
};

// developers.google.com/maps/documentation/javascript/events#auth-errors: a wrong key is reported to this function.
if (searchParams.get('key') === 'wrong') callbacks.gm_authFailure?.();
else {
  if (searchParams.get('libraries')?.split(',').includes('places')) loaded.places = {};
  Object.assign(window, { google: { maps: { Map: FakeMap, Circle, event: events, ...loaded } } });
  callbacks[searchParams.get('callback') ?? '']?.();
}
