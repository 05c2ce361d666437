/** React in its own chunk, so that browsers cache it across builds. */
export { createElement } from 'react';
export { hydrateRoot } from 'react-dom/client';
