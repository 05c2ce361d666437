/** What the row below a landing's button may say; the first three are the specification's. */
export const trustLabels = ['consent', 'confidential', 'ssl', 'refund', 'cancel'] as const;

export type TrustLabel = (typeof trustLabels)[number];
