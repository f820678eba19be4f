"""Facts that LLVM is told: which branches are likely, and what loops are like."""

from __future__ import annotations

METADATA = """
!0 = !{!"branch_weights", i32 2000, i32 1}
!1 = !{!"branch_weights", i32 1, i32 2000}
!2 = distinct !{}
!3 = !{!"llvm.loop.parallel_accesses", !2}
!4 = !{!"llvm.loop.vectorize.enable", i1 false}
!5 = distinct !{!5, !3}
!6 = distinct !{!6, !3, !4}
!7 = !{!"llvm.loop.unroll.disable"}
!8 = distinct !{!8, !7}
!9 = !{!"llvm.loop.interleave.count", i32 4}
!10 = distinct !{!10, !3, !4, !7}
!30 = distinct !{!30, !3, !7, !31}
!31 = !{!"llvm.loop.vectorize.followup_vectorized", !32}
!32 = !{!"llvm.loop.isvectorized", i32 1}
""" + "".join(
    f"""!{10 + log} = !{{!"llvm.loop.vectorize.width", i32 {1 << log}}}
!{20 + log} = distinct !{{!{20 + log}, !3, !9, !{10 + log}}}
"""
    for log in range(1, 8)
)
"""Facts for LLVM: likely and unlikely branches, and loops."""
PARALLEL = ", !llvm.access.group !2"
"""Mark of an access on which no other iteration of its loop depends."""
VECTOR_LOOP, PLAIN_LOOP = "!5", "!6"
"""Loops of such accesses: one that LLVM vectorises, and one that it does not."""
WITHOUT_UNROLLING = "!8"
"""Loop that LLVM does not unroll."""
SHORT_LOOP = "!30"
"""Loop of such accesses that LLVM makes vectors of, however short it is, and writes out then: as
numbers, it would leave nothing to vectorise but columns, whose elements lie apart."""
RARE_LOOP = "!10"
"""Loop of such accesses that LLVM leaves as it is, which takes the least time."""


def vector_loop(lanes: int) -> str:
    """Return the facts of a loop that goes by four vectors of so many lanes at once."""
    return f"!{20 + lanes.bit_length() - 1}"
