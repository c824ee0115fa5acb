"""Countries and larger regions as scopes of a statement: their names, what belongs to them, and what lies in what."""

from __future__ import annotations

import re
from typing import NamedTuple

_BY_REGION = {
    "Europe": "Albania:Albanian;Andorra;Austria:Austrian;Belarus:Belarusian;Belgium:Belgian;Bosnia:Bosnian;"
    "Bulgaria:Bulgarian;Croatia:Croatian;Cyprus:Cypriot;Czechia,the Czech Republic:Czech;Denmark:Danish,Danes;"
    "Estonia:Estonian;Finland:Finnish,Finns;France:French;Germany:German;Greece:Greek;Hungary:Hungarian;"
    "Iceland:Icelandic,Icelanders;Ireland:Irish;Italy:Italian;Kosovo;Latvia:Latvian;Lithuania:Lithuanian;"
    "Luxembourg;Malta:Maltese;Moldova:Moldovan;Montenegro;North Macedonia;Norway:Norwegian;Poland:Polish,Poles;"
    "Portugal:Portuguese;Romania:Romanian;Russia:Russian;Serbia:Serbian;Slovakia:Slovak;Slovenia:Slovenian;"
    "Spain:Spanish,Spaniards;Sweden:Swedish,Swedes;Switzerland:Swiss;Ukraine:Ukrainian;the Netherlands,Holland:Dutch",
    "the United Kingdom": "England:English;Scotland:Scottish,Scots;Wales:Welsh;Northern Ireland",
    "Asia": "Afghanistan:Afghan;Armenia:Armenian;Azerbaijan:Azerbaijani;Bangladesh:Bangladeshi;Bhutan;"
    "Cambodia:Cambodian;China:Chinese;India:Indian;Indonesia:Indonesian;Iran:Iranian;Iraq:Iraqi;Israel:Israeli;"
    "Japan:Japanese;Kazakhstan:Kazakh;Kuwait:Kuwaiti;Laos;Lebanon:Lebanese;Malaysia:Malaysian;Mongolia:Mongolian;"
    "Myanmar,Burma:Burmese;Nepal:Nepalese;North Korea;Pakistan:Pakistani;the Philippines:Filipino;Qatar:Qatari;"
    "Saudi Arabia:Saudi;Singapore:Singaporean;South Korea:South Korean;Sri Lanka:Sri Lankan;Syria:Syrian;"
    "Taiwan:Taiwanese;Thailand:Thai;Turkey:Turkish,Turks;Uzbekistan:Uzbek;Vietnam:Vietnamese;Yemen:Yemeni",
    "Africa": "Algeria:Algerian;Angola:Angolan;Benin;Botswana;Cameroon:Cameroonian;Congo:Congolese;Egypt:Egyptian;"
    "Eritrea:Eritrean;Ethiopia:Ethiopian;Ghana:Ghanaian;Ivory Coast:Ivorian;Kenya:Kenyan;Liberia:Liberian;"
    "Libya:Libyan;Madagascar:Malagasy;Malawi:Malawian;Mali:Malian;Morocco:Moroccan;Mozambique:Mozambican;"
    "Namibia:Namibian;Niger;Nigeria:Nigerian;Rwanda:Rwandan;Senegal:Senegalese;Sierra Leone;Somalia:Somali;"
    "South Africa:South African;Sudan:Sudanese;Tanzania:Tanzanian;Tunisia:Tunisian;Uganda:Ugandan;Zambia:Zambian;"
    "Zimbabwe:Zimbabwean",
    "North America": "Canada:Canadian;Mexico:Mexican;the United States,the US,the USA,the U.S.,America:American",
    "Latin America": "Argentina:Argentine,Argentinian;Bolivia:Bolivian;Brazil:Brazilian;Chile:Chilean;"
    "Colombia:Colombian;Costa Rica:Costa Rican;Cuba:Cuban;the Dominican Republic:Dominican;Ecuador:Ecuadorian;"
    "El Salvador:Salvadoran;Guatemala:Guatemalan;Haiti:Haitian;Honduras:Honduran;Jamaica:Jamaican;Mexico;"
    "Nicaragua:Nicaraguan;Panama:Panamanian;Paraguay:Paraguayan;Peru:Peruvian;Uruguay:Uruguayan;"
    "Venezuela:Venezuelan",
    "Oceania": "Australia:Australian;Fiji:Fijian;New Zealand;Papua New Guinea;Samoa:Samoan",
}
"""Names (the first is the one kept), then what belongs there; a country may lie in two regions."""

_REGION_NAMES = (
    "Europe,the European Union,the EU:European;the United Kingdom,the UK,the U.K.,Britain,Great Britain:British,Britons"
    ";Asia:Asian;Africa:African;North America:North American;Latin America,South America,Central America:Latin American"
    ";Oceania;Scandinavia:Scandinavian"
)
_SCANDINAVIA = frozenset({"Denmark", "Norway", "Sweden"})


class Mention(NamedTuple):
    """A country or region that a text names, in code points of the text."""

    start: int
    end: int
    place: str
    """Its kept name."""
    by_name: bool
    """By its own name, not by what belongs to it (*Dutch*)."""


def _entries() -> tuple[dict[str, tuple[str, bool]], dict[str, frozenset[str]]]:
    known: dict[str, tuple[str, bool]] = {}
    within: dict[str, frozenset[str]] = {}
    listed = [(entry, region) for region, entries in _BY_REGION.items() for entry in entries.split(";")]
    for entry, region in [*listed, *((entry, "") for entry in _REGION_NAMES.split(";"))]:
        names, _, belonging = entry.partition(":")
        place = names.split(",")[0]
        for name in names.split(","):
            known[name.removeprefix("the ")] = (place, True)
        for word in filter(None, belonging.split(",")):
            known[word] = (place, False)
            if not word.endswith(("s", "ish", "ese", "ch")):
                known[word + "s"] = (place, False)
        if region:
            above = {region} | ({"Europe"} if region == "the United Kingdom" else set())
            within[place] = within.get(place, frozenset()) | above
    for place in _SCANDINAVIA:
        within[place] |= {"Scandinavia"}
    within["the United Kingdom"] = frozenset({"Europe"})
    within["Scandinavia"] = frozenset({"Europe"})
    return known, within


_KNOWN, _WITHIN = _entries()
_NAME = re.compile(
    rf"(?<![\w-])(?:{'|'.join(re.escape(name) for name in sorted(_KNOWN, key=len, reverse=True))})(?![\w-])"
)


def find(text: str) -> list[Mention]:
    """The countries and regions that a text names, in order; capital letters as written."""
    return [Mention(match.start(), match.end(), *_KNOWN[match.group()]) for match in _NAME.finditer(text)]


def apart(one: str, other: str) -> bool:
    """Whether two places by their kept names have nothing in common: neither is the other, nor lies in it."""
    return one != other and one not in _WITHIN.get(other, ()) and other not in _WITHIN.get(one, ())
