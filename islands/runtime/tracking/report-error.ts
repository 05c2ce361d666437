import { pageData } from '../hydration/page-data.ts';

export function reportError(name: string, properties: Record<string, string>): void {
  const { screen: screen_name, kind } = pageData();
  if (kind === 'private') return;
  const id = String(Math.random());
  const event = { id, name, properties: { ...properties, screen_name } };
  const body = new Blob([JSON.stringify({ events: [event] })], { type: 'application/json' });
  navigator.sendBeacon?.('/api/v1/events', body);
}
