import { benchPages } from './pages.ts';

const figures = { pages: await benchPages() };
process.stdout.write(`\n${JSON.stringify(figures, null, 2)}\n`);
process.exit(0);
