/** React as its own chunk: it changes seldom, so that visitors keep it from build to build. */
export { createElement } from 'react';
export { hydrateRoot } from 'react-dom/client';
