export interface InvitationOutcome {
  requestedAt: number;
  /** `agreed`: the requester saw an acceptance. `refused`: the invitation ended without one. */
  answer: 'agreed' | 'refused' | 'open';
}
