/** Where a yes is needed within days of a rise or of a trial's end, for which nobody is asked: prices stay, no plan begins free. */
export const lateYes = 'KR';
