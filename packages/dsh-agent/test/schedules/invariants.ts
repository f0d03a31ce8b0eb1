/** All invariants of one schedule, in the order in which they hear of a happening. */
import type { Invariant } from './happening.ts';
import {
  claimsFollowTheRules,
  durableMeansKept,
  everyMessageEndsOnce,
  inboxEqualsTheReference,
  marksHaveReasons,
  receiptsSayWhatHappened,
} from './invariants-of-inbox.ts';
import {
  everythingSettles,
  failuresHaveReasons,
  oneLiveAgentPerId,
  reloadEqualsMemory,
  whoIsGoneIsSilent,
} from './invariants-of-lives.ts';
import {
  callsGetTheirResults,
  nothingBeginsAfterAnAbort,
  requestsAreTheLog,
  statusTellsTheTruth,
  toolsKeepTheirLimits,
  turnsEndAsTheyMust,
} from './invariants-of-turns.ts';
import { createReferences } from './reference.ts';
import type { Trial } from './trial.ts';

export function invariantsOf(trial: Trial): readonly Invariant[] {
  const references = createReferences();
  const before = [claimsFollowTheRules, turnsEndAsTheyMust, nothingBeginsAfterAnAbort, callsGetTheirResults];
  const after = [
    everyMessageEndsOnce,
    inboxEqualsTheReference,
    durableMeansKept,
    marksHaveReasons,
    receiptsSayWhatHappened,
    requestsAreTheLog,
    toolsKeepTheirLimits,
    statusTellsTheTruth,
    oneLiveAgentPerId,
    whoIsGoneIsSilent,
    everythingSettles,
    failuresHaveReasons,
    reloadEqualsMemory,
  ];
  const reference: Invariant = {
    see(happening) {
      references.see(happening);
    },
  };
  return [
    ...before.map((make): Invariant => make(trial, references)),
    reference,
    ...after.map((make): Invariant => make(trial, references)),
  ];
}
