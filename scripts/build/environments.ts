/** In this order: the browser's code has the short names of the styles, and the Worker has facts about both. */
export const environments = ['styles', 'client', 'worker'] as const;

/** `npm run dev` builds into a folder of its own, so that a build beside it leaves its files alone. */
export const outDir = (): string => process.env.BUILD_FOLDER ?? 'dist';
