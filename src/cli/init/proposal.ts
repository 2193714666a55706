/** A guardrail a project seems to have already, and the file that says so. */
export interface Proposal {
  readonly command: string;
  readonly from: string;
}
