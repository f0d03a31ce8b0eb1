/** How an Activation ended (M33). */
export type Outcome =
  | 'completed'
  | 'max-tokens'
  | 'max-steps'
  | 'refused'
  | 'budget'
  | 'aborted'
  | 'error'
  | 'fenced'
  | 'teardown-failed';
