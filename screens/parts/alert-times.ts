/** When the notes of the example day come, as `alerts` of the texts tells it. */
export const alertTimes = { school: '08:12', way: '15:41', home: '16:05' } as const;
