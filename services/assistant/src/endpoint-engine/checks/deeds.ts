/** Sentences that say that something was, is being or will be done. Only the product says so, from the result of an action. */
interface DeedWords {
  /** A claim. */
  readonly claims: readonly RegExp[];
  /** An offer, or that it cannot be done. */
  readonly harmless: RegExp;
}

const english: DeedWords = {
  claims: [
    /\b(?:i|we)(?:'ve| have| had|'d)?(?: just| now| already| also| successfully)* (?:noted|taken|saved|recorded|sent|texted|e-?mailed|forwarded|scheduled|booked|reserved|cancell?ed|ordered|arranged|notified|informed|transferred|connected|updated|registered|submitted|logged|confirmed|rescheduled|changed|added|passed|let|told|left|put|made|created|asked|called|written)\b/,
    /\b(?:i|we)(?:'m| am|'re| are)(?: just| now| already)* (?:connecting|transferring|putting|sending|noting|taking|forwarding|passing|booking|scheduling|texting|calling|arranging|ordering|cancell?ing|reserving|dialing|ringing)\b/,
    /\b(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to| shall)(?: now| just| also| gladly| happily| personally)* (?:connect|transfer|put|send|text|e-?mail|forward|pass|book|schedule|arrange|order|cancel|reserve|note|record|take|make sure|let|tell|notify|inform|ask|call|have|get back|ring|leave|relay|update|register|make a note|write)\b/,
    /^(?:ok(?:ay)?,? |sure,? |alright,? |great,? )?(?:now )?(?:connecting|transferring|putting) (?:you|your|the)\b/,
    /\bwhile i (?:connect|transfer|put|send|book|note)\b/,
    /\blet me (?:connect|transfer|put you|send|book|note|pass|forward|take that down|write)\b/,
    /\b(?:your|the|that|it|this|everything|a|an) ?(?:message|call|text|appointment|booking|order|request|reservation|callback|call-back|note|number|details|information|e-?mail|slot)?(?:'s| is| are| was| were| has been| have been)(?: now| already| all| successfully)* (?:noted|taken|saved|recorded|sent|booked|reserved|confirmed|forwarded|scheduled|cancell?ed|transferred|connected|passed on|on its way|on the way|registered|arranged|submitted|delivered|updated|placed)\b/,
    /\b(?:someone|somebody|he|she|they|we|a colleague|one of (?:us|our)[a-z ]*|our [a-z ]{2,20}|[a-z]+)(?:'ll| will| is going to| are going to) (?:call|ring|phone|get back|contact|text|be in touch|reach out|return)\b/,
    /\byou(?:'ll| will)(?: soon| shortly| now)* (?:receive|get|be (?:called|connected|transferred|contacted|put through)|hear (?:back|from))\b/,
    /^(?:all )?(?:done|all set|noted|booked|sent|confirmed|message taken|got it noted)\b/,
    /\b(?:you are|you're) (?:now )?(?:booked|connected|being connected|being transferred|all set|registered|confirmed)\b/,
  ],
  harmless:
    /\b(?:can't|cannot|couldn't|unable|won't|never)\b|\b(?:can|could|am|is|are|was|were|have|has|had|will|would|be|i'm|we're)(?:n't| not)\b|\bwould you like\b|\bif you(?:'d)? (?:like|want|wish|prefer|would)\b/,
};

const german: DeedWords = {
  claims: [
    /\b(?:ich|wir) (?:habe|haben)\b.*\b(?:notiert|aufgenommen|gesendet|geschickt|gebucht|reserviert|weitergeleitet|weitergegeben|eingetragen|storniert|informiert|verbunden|bestellt|vermerkt|ausgerichtet|hinterlassen|gespeichert|bestätigt)\b/,
    /\b(?:ich|wir) (?:werde|werden)\b.*\b(?:notieren|aufnehmen|senden|schicken|buchen|reservieren|weiterleiten|weitergeben|eintragen|stornieren|informieren|verbinden|durchstellen|bestellen|ausrichten|zurückrufen|melden|anrufen)\b/,
    /\b(?:ich|wir) (?:verbinde|verbinden|notiere|notieren|schicke|schicken|sende|senden|buche|buchen|reserviere|reservieren|storniere|stornieren|informiere|bestelle)\b/,
    /\b(?:verbinde|stelle|leite|richte|gebe|rufe|melde) (?:ich|wir)?.*\b(?:durch|weiter|aus|zurück|an)\b/,
    /\b(?:ich|wir) (?:stelle|stellen|leite|leiten|richte|richten|gebe|geben|rufe|rufen|melde|melden)\b.*\b(?:durch|weiter|aus|zurück|an|bei ihnen)\b/,
    /\b(?:wird|werden|ruft|rufen|meldet|melden) (?:sie|sich|ihnen|uns).*\b(?:zurück|zurückrufen|anrufen|melden|bei ihnen|an)\b/,
    /\b(?:ist|wurde|wird|sind|wurden)\b.*\b(?:gebucht|notiert|gesendet|geschickt|weitergeleitet|reserviert|bestätigt|storniert|aufgenommen|verbunden|eingetragen|unterwegs)\b/,
    /\bsie (?:erhalten|bekommen|werden)\b.*\b(?:sms|nachricht|e-?mail|rückruf|anruf|verbunden|zurückgerufen)\b/,
    /^(?:erledigt|notiert|gebucht|gesendet)\b/,
  ],
  harmless: /\b(?:nicht|kein|keine|keinen|leider|nie|wenn sie (?:möchten|wollen|wünschen)|möchten sie|soll ich)\b/,
};

const danish: DeedWords = {
  claims: [
    /\b(?:jeg|vi) har\b.*\b(?:noteret|sendt|skrevet|booket|bestilt|givet|taget|videregivet|viderestillet|reserveret|aflyst|gemt|oprettet|lagt|informeret|bekræftet)\b/,
    /\b(?:jeg|vi) (?:stiller|viderestiller|forbinder|sender|noterer|booker|bestiller|reserverer|aflyser|giver besked|giver det videre|skriver det ned|skriver en besked|lægger en besked|ringer|sørger)\b/,
    /\b(?:jeg|vi) vil (?:nu )?(?:stille|viderestille|forbinde|sende|notere|booke|bestille|reservere|aflyse|give|skrive|lægge|ringe|sørge)\b/,
    /\b(?:nu |så )?(?:stiller|viderestiller|forbinder|sender|noterer|booker) (?:jeg|vi)\b/,
    /\b(?:er|bliver|blev)\b.*\b(?:noteret|sendt|booket|bekræftet|reserveret|videregivet|viderestillet|aflyst|bestilt|på vej)\b/,
    /\b(?:ringer|kontakter|vender|skriver) (?:dig|tilbage|til dig)\b/,
    /\bdu (?:får|modtager|bliver|vil)\b.*\b(?:sms|besked|mail|ringet op|opkald|viderestillet|kontaktet)\b/,
    /^(?:noteret|sendt|booket|færdig)\b/,
  ],
  harmless: /\b(?:ikke|ingen|intet|desværre|aldrig|hvis du (?:vil|ønsker)|vil du|skal jeg)\b/,
};

const languages: Readonly<Record<string, DeedWords>> = { en: english, de: german, da: danish };

/** Whether a sentence claims a deed of the assistant or of its company. */
export function claimsDeed(sentence: string, language: string): boolean {
  const { claims, harmless } = languages[language.split('-', 1)[0]!] ?? english;
  const plain = sentence.toLowerCase().replaceAll('’', "'").trim();
  // Each part alone: "I'm not sure, but I have noted it."
  return plain.split(/[,;:–—]\s|\s-\s|\b(?:but|and|aber|und|men|og)\b/).some((part, _, parts) => {
    const isQuestion = plain.endsWith('?') && part === parts.at(-1);
    return !isQuestion && !harmless.test(part) && claims.some((claim) => claim.test(part.trim()));
  });
}
