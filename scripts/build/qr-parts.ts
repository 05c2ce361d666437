import type { Plugin } from 'vite';

/** Our links need bytes: one segment of them, without the search for the shortest mix of modes. */
const bytesOnly = `const ByteData = require('./byte-data')
exports.fromArray = (segments) => segments.map(({ data }) => new ByteData(data))`;

/** Leaves out the other modes of the QR code package. */
export const qrParts: Plugin = {
  name: 'qr-parts',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.name === 'worker',
  load: (id) => (/node_modules\/qrcode\/lib\/core\/segments\.js$/.test(id) ? bytesOnly : null),
};
