/** All invariants of one schedule, in the order in which they hear of a happening. */
import { createFacts } from './facts.ts';
import type { Invariant } from './happening.ts';
import {
  durableWorkComesBack,
  logsHoldAMessageOnce,
  personsAreObeyed,
  repeatedCallsAreOne,
} from './invariants-of-kept-work.ts';
import { budgetsHold, messagesStayNear, treesStayInBounds } from './invariants-of-limits.ts';
import {
  abortedTurnsClaimNothing,
  claimsFollowTheInbox,
  resultsStayWithTheirCalls,
} from './invariants-of-claims.ts';
import {
  everythingSettles,
  nobodyElseHoldsPlaces,
  nothingFailsInside,
  nothingIsLeft,
  refusalsHaveCodes,
  reloadEqualsMemory,
  restMeansParked,
} from './invariants-of-ends.ts';
import {
  childrenGoFirst,
  epochsDoNotOverlap,
  oneLiveAgentPerId,
  rolledBackStartsLeaveNothing,
  settlingIsSafe,
} from './invariants-of-epochs.ts';
import {
  acceptedOnce,
  everyMessageEndsOnce,
  admissionLooksLast,
  onlyNeighboursWrite,
  ownChildrenAreReached,
  refusalsLeaveNoTrace,
  sendsKeepTheirOrder,
} from './invariants-of-messages.ts';
import { childrenSpeakBeforeTheirNotice, noticesWake, oneNoticePerEpoch } from './invariants-of-notices.ts';
import {
  acceptedChildrenSurvive,
  closedGatesLetNothingIn,
  drainsWaitForAll,
  gatesOpenAgain,
  promptsKeepTheirParent,
  stoppedAgentsAskNothing,
} from './invariants-of-stops.ts';
import {
  endsAreWhole,
  outcomesFollowTheTurns,
  parkedMeansParked,
  releasesAreInTime,
} from './invariants-of-outcomes.ts';
import {
  forksKnowTheirParent,
  headersSayWhereFrom,
  idsAreTakenOnce,
  onlyTheAdmittedRun,
} from './invariants-of-origins.ts';
import {
  leaversWaitForNobody,
  messagesKeepTheirKind,
  noticesNameTheirEpoch,
  strangersHearOneThing,
} from './invariants-of-words.ts';
import type { Trial } from './trial.ts';

export function invariantsOf(trial: Trial): readonly Invariant[] {
  const facts = createFacts();
  const all = [
    everyMessageEndsOnce,
    acceptedOnce,
    refusalsLeaveNoTrace,
    onlyNeighboursWrite,
    ownChildrenAreReached,
    sendsKeepTheirOrder,
    claimsFollowTheInbox,
    abortedTurnsClaimNothing,
    resultsStayWithTheirCalls,
    oneLiveAgentPerId,
    epochsDoNotOverlap,
    childrenGoFirst,
    settlingIsSafe,
    rolledBackStartsLeaveNothing,
    oneNoticePerEpoch,
    noticesWake,
    childrenSpeakBeforeTheirNotice,
    stoppedAgentsAskNothing,
    closedGatesLetNothingIn,
    acceptedChildrenSurvive,
    drainsWaitForAll,
    gatesOpenAgain,
    admissionLooksLast,
    restMeansParked,
    everythingSettles,
    nobodyElseHoldsPlaces,
    nothingFailsInside,
    refusalsHaveCodes,
    nothingIsLeft,
    reloadEqualsMemory,
    treesStayInBounds,
    budgetsHold,
    messagesStayNear,
    durableWorkComesBack,
    logsHoldAMessageOnce,
    repeatedCallsAreOne,
    personsAreObeyed,
    promptsKeepTheirParent,
    messagesKeepTheirKind,
    noticesNameTheirEpoch,
    strangersHearOneThing,
    leaversWaitForNobody,
    outcomesFollowTheTurns,
    releasesAreInTime,
    endsAreWhole,
    parkedMeansParked,
    idsAreTakenOnce,
    headersSayWhereFrom,
    forksKnowTheirParent,
    onlyTheAdmittedRun,
  ];
  const made: readonly Invariant[] = all.map((make) => make(trial, facts));
  const first: Invariant = {
    see(happening) {
      facts.see(happening);
    },
  };
  return [first, ...made];
}
