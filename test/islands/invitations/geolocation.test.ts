import { expect, it, vi } from 'vitest';
import { currentPosition } from '../../../islands/invitations/geolocation.ts';

type Report = (error: object) => void;

it('geolocation: asks once and rounds before anything is sent', async () => {
  const getCurrentPosition = vi.fn((succeed: Report) =>
    succeed({ coords: { latitude: 52.520008, longitude: -13.404954, accuracy: 23.4 } }),
  );
  vi.stubGlobal('navigator', { geolocation: { getCurrentPosition } });
  expect(await currentPosition()).toEqual({ latitude: 52.52, longitude: -13.405, accuracy: 24 });
  expect(getCurrentPosition).toHaveBeenCalledTimes(1);
});

it.each([
  [1, 'denied'],
  [2, 'unavailable'],
  [3, 'unavailable'],
])('geolocation: browser error %i means %s', async (code, reason) => {
  const getCurrentPosition = (_: Report, refuse: Report) => refuse({ code });
  vi.stubGlobal('navigator', { geolocation: { getCurrentPosition } });
  await expect(currentPosition()).rejects.toBe(reason);
});

it('geolocation: a browser without the API is unavailable', async () => {
  vi.stubGlobal('navigator', {});
  await expect(currentPosition()).rejects.toBe('unavailable');
});
