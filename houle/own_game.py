"""Everything that the files of your own game import. These names stay; where they come from may change.

    from houle.own_game import cards, define, draw, fields, fill, kernel, luck, number, per_seat

The functions on sets of any number of cards are here by name. Three modules have names of their own:
`bits` (sets of up to 64 cards in one number), `rows` (cards in order) and `seen` (the table of what a seat sees).
"""

from houle.solver.cards import bits as bits
from houle.solver.cards import rows as rows
from houle.solver.cards.bits import ONE as ONE
from houle.solver.cards.bits import U8 as U8
from houle.solver.cards.bits import ZERO as ZERO
from houle.solver.cards.bits import members as members
from houle.solver.cards.cardsets import SHIFT as SHIFT
from houle.solver.cards.cardsets import WORD as WORD
from houle.solver.cards.cardsets import add as add
from houle.solver.cards.cardsets import add_all as add_all
from houle.solver.cards.cardsets import clear as clear
from houle.solver.cards.cardsets import copy as copy
from houle.solver.cards.cardsets import count as count
from houle.solver.cards.cardsets import count_both as count_both
from houle.solver.cards.cardsets import draw as draw
from houle.solver.cards.cardsets import fill as fill
from houle.solver.cards.cardsets import following as following
from houle.solver.cards.cardsets import has as has
from houle.solver.cards.cardsets import is_inside as is_inside
from houle.solver.cards.cardsets import keep as keep
from houle.solver.cards.cardsets import list_cards as list_cards
from houle.solver.cards.cardsets import move_all as move_all
from houle.solver.cards.cardsets import nth as nth
from houle.solver.cards.cardsets import put as put
from houle.solver.cards.cardsets import random_card as random_card
from houle.solver.cards.cardsets import remove as remove
from houle.solver.cards.cardsets import remove_all as remove_all
from houle.solver.cards.cardsets import words as words
from houle.solver.cards.streams import STREAM_FIELDS as STREAM_FIELDS
from houle.solver.cards.streams import advance as advance
from houle.solver.cards.streams import below as below
from houle.solver.cards.streams import derive as derive
from houle.solver.cards.streams import luck as luck
from houle.solver.cards.streams import mix as mix
from houle.solver.cards.streams import start_world as start_world
from houle.solver.compiler.kernels import kernel as kernel
from houle.solver.compiler.kernels import outlined as outlined
from houle.solver.compiler.local_arrays import local_empty as local_empty
from houle.solver.compiler.local_arrays import local_zeros as local_zeros
from houle.solver.compiler.types import Action as Action
from houle.solver.compiler.types import Card as Card
from houle.solver.compiler.types import Cards as Cards
from houle.solver.compiler.types import Categories as Categories
from houle.solver.compiler.types import Features as Features
from houle.solver.compiler.types import Flag as Flag
from houle.solver.compiler.types import Key as Key
from houle.solver.compiler.types import Label as Label
from houle.solver.compiler.types import Moves as Moves
from houle.solver.compiler.types import Number as Number
from houle.solver.compiler.types import Numbers as Numbers
from houle.solver.compiler.types import Rules as Rules
from houle.solver.compiler.types import Seat as Seat
from houle.solver.compiler.types import Side as Side
from houle.solver.compiler.types import State as State
from houle.solver.compiler.types import States as States
from houle.solver.declared.fields import about as about
from houle.solver.declared.fields import cards as cards
from houle.solver.declared.fields import fields as fields
from houle.solver.declared.fields import number as number
from houle.solver.declared.fields import ordered as ordered
from houle.solver.declared.fields import per_seat as per_seat
from houle.solver.errors import KnobError as KnobError
from houle.solver.games import define as define
from houle.solver.interface import UTILITY as UTILITY
from houle.solver.interface import WIN as WIN
from houle.solver.interface import blank as blank
from houle.solver.interface import seen as seen
from houle.solver.interface.files import EndReader as EndReader
from houle.solver.interface.files import GameEnds as GameEnds
from houle.solver.matches.known import Known as Known
from houle.solver.matches.record.line_parser import Lines as Lines
from houle.solver.matches.record.line_parser import Places as Places
from houle.solver.rules import Setup as Setup
